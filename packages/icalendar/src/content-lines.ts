/** A property of a calendar (RFC 5545, section 3.1), with the line of the file it begins on, counted from 1. */
export interface Property {
  readonly line: number;
  /** In capital letters. */
  readonly name: string;
  /** By their names in capital letters, without the quotes around them. */
  readonly params: ReadonlyMap<string, string>;
  /** As the file has it, unfolded. */
  readonly value: string;
}

export type ContentLine =
  | { readonly outcome: 'property'; readonly property: Property }
  | { readonly outcome: 'unreadable'; readonly line: number; readonly detail: string };

/** Reads the lines of a calendar one by one; a line that begins with a space or a tab goes on with the one before. */
export function* contentLines(text: string): Generator<ContentLine> {
  let begun: { line: number; text: string } | undefined;
  let line = 0;
  for (const physical of physicalLines(text)) {
    line += 1;
    if (begun !== undefined && (physical.startsWith(' ') || physical.startsWith('\t'))) {
      begun.text += physical.slice(1);
      continue;
    }
    if (begun !== undefined) yield readLine(begun.line, begun.text);
    begun = physical.trim() === '' ? undefined : { line, text: physical };
  }
  if (begun !== undefined) yield readLine(begun.line, begun.text);
}

/** One after the other: a file of line ends alone would make millions at once. */
function* physicalLines(text: string): Generator<string> {
  const end = /\r\n|\n|\r/g;
  let from = 0;
  for (let found = end.exec(text); found !== null; found = end.exec(text)) {
    yield text.slice(from, found.index);
    from = end.lastIndex;
  }
  yield text.slice(from);
}

const NAME = /[A-Za-z0-9-]+/y;
const PARAM = /;([A-Za-z0-9-]+)=((?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)/y;

function readLine(line: number, text: string): ContentLine {
  const name = matchAt(NAME, text, 0);
  if (name === null) return unreadable(line, 'does not begin with the name of a property.');
  let at = name[0].length;
  const params = new Map<string, string>();
  for (let found = matchAt(PARAM, text, at); found !== null; found = matchAt(PARAM, text, at)) {
    const [whole, param = '', value = ''] = found;
    params.set(param.toUpperCase(), value.replaceAll('"', ''));
    at += whole.length;
  }
  if (text[at] !== ':')
    return unreadable(
      line,
      'has no colon after the name of its property. A line that goes on begins with a space.',
    );
  return {
    outcome: 'property',
    property: { line, name: name[0].toUpperCase(), params, value: text.slice(at + 1) },
  };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function unreadable(line: number, what: string): ContentLine {
  return { outcome: 'unreadable', line, detail: `Line ${line} ${what}` };
}
