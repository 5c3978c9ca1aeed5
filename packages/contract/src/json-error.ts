/**
 * Where JSON.parse gave up, as "line 3, column 5". V8's own message is not shown:
 * it differs between Node versions and repeats parts of the body.
 */
export function locateJsonError(text: string, error: unknown): string {
  if (text.trim() === '') return 'it is empty';
  const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  // V8 names no position where the text ends too early.
  const before = text.slice(0, position === undefined ? text.length : Number(position));
  const line = before.split('\n').length;
  const column = before.length - before.lastIndexOf('\n');
  return `line ${line}, column ${column}`;
}
