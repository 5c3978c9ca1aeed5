/** A property of a calendar (RFC 5545, section 3.1), with the line of the file it begins on, counted from 1. */
export interface Property {
  readonly line: number;
  /** In capital letters. */
  readonly name: string;
  /** Values without quotes, by parameter name in capital letters. */
  readonly params: ReadonlyMap<string, string>;
  /** The value as in the file, unfolded. */
  readonly value: string;
}

export type ContentLine =
  | { readonly outcome: 'property'; readonly property: Property }
  | { readonly outcome: 'unreadable'; readonly line: number; readonly detail: string };

/** Reads the lines of a calendar one by one. A line that begins with a space or a tab continues the previous line. */
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

/** A generator, because a file of line ends alone would otherwise create millions of strings at once. */
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
  if (name === null) return unreadable(line, 'does not begin with a property name.');
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
      'has no colon after the property name. A continuation line must begin with a space.',
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
