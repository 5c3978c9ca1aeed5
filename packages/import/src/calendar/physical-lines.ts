/**
 * The lines of a file, without their ends. A carriage return alone ends a line only in a file without line feeds: elsewhere it
 * is part of a text that a web form has sent. Several carriage returns before a line feed come from a file that was written in
 * text mode twice. A generator, because a file of line ends alone would otherwise create millions of strings at once.
 */
export function* physicalLines(text: string): Generator<string> {
  const end = text.includes('\n') ? '\n' : '\r';
  let from = 0;
  for (let at = text.indexOf(end); at !== -1; at = text.indexOf(end, from)) {
    yield text.slice(from, beforeReturns(text, from, at));
    from = at + 1;
  }
  yield text.slice(from);
}

function beforeReturns(text: string, from: number, at: number): number {
  let to = at;
  while (to > from && text[to - 1] === '\r') to -= 1;
  return to;
}
