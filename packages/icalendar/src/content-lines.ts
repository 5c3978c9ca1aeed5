import { physicalLines } from './physical-lines.ts';

/** A property of a calendar (RFC 5545, section 3.1), with the line of the file it begins on, counted from 1. */
export interface Property {
  readonly line: number;
  /** In capital letters. */
  readonly name: string;
  /** Values without quotes, by parameter name in capital letters. A parameter without a value is ''. */
  readonly params: ReadonlyMap<string, string>;
  /** The value as in the file, unfolded. */
  readonly value: string;
}

export type ContentLine =
  | { readonly outcome: 'property'; readonly property: Property }
  /** `name`: the letters that the line begins with, in capital letters. */
  | { readonly outcome: 'unreadable'; readonly line: number; readonly name: string; readonly detail: string };

interface Begun {
  readonly line: number;
  text: string;
}

/**
 * Reads the lines of a calendar one by one. A line that begins with a space or a tab continues the previous line, also after
 * an empty one. A line of a description that lost the space before it continues the description.
 */
export function* contentLines(text: string): Generator<ContentLine> {
  let begun: Begun | undefined;
  let line = 0;
  for (const physical of physicalLines(text)) {
    line += 1;
    if (physical.trim() === '') continue;
    if (begun !== undefined && /^[ \t]/.test(physical) && !WHOLE.test(begun.text))
      begun.text += physical.slice(1);
    else if (begun !== undefined && goesOn(begun.text, physical)) begun.text = joined(begun.text, physical);
    else {
      if (begun !== undefined) yield* readLines(begun);
      begun = { line, text: physical };
    }
  }
  if (begun !== undefined) yield* readLines(begun);
}

const OF_A_COMPONENT = /^(?:BEGIN|END):/i;
/** Such a line is never folded. */
const WHOLE = /^(?:BEGIN|END):[A-Z]+$/i;
const DESCRIPTION = /^DESCRIPTION[;:]/i;
/** Properties are written in capital letters nearly everywhere, the words of a description are not. */
const PROPERTY = /^[A-Z0-9-]+[;:]/;
const QUOTED_PRINTABLE = /^[^:]*QUOTED-PRINTABLE[^:]*:/i;

/** Whether a line without a space before it continues a property. */
function goesOn(text: string, next: string): boolean {
  if (OF_A_COMPONENT.test(next)) return false;
  // A soft line break (RFC 2045, section 6.7).
  if (text.endsWith('=') && QUOTED_PRINTABLE.test(text)) return true;
  return DESCRIPTION.test(text) && !PROPERTY.test(next);
}

function joined(text: string, next: string): string {
  return QUOTED_PRINTABLE.test(text) && text.endsWith('=') ? text.slice(0, -1) + next : `${text}\\n${next}`;
}

/** Files that were joined without a line end have `END:VCALENDARBEGIN:VCALENDAR`. */
const JOINED_FILES = /^(END:[A-Z]+?)(BEGIN:[A-Z]+)$/i;

function* readLines({ line, text }: Begun): Generator<ContentLine> {
  const parts = JOINED_FILES.exec(text.trim());
  if (parts === null) yield readLine(line, text);
  else for (const part of parts.slice(1)) yield readLine(line, part);
}

const NAME = /[A-Za-z0-9-]+/y;
const PARAM = /;([A-Za-z0-9-]+)(?:=((?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*))?/y;

function readLine(line: number, text: string): ContentLine {
  const name = matchAt(NAME, text, 0);
  if (name === null) return unreadable(line, '', 'does not begin with a property name.');
  let at = name[0].length;
  const params = new Map<string, string>();
  for (let found = matchAt(PARAM, text, at); found !== null; found = matchAt(PARAM, text, at)) {
    const [whole, param = '', value = ''] = found;
    params.set(param.toUpperCase(), value.replaceAll('"', ''));
    at += whole.length;
  }
  const property = name[0].toUpperCase();
  if (text[at] !== ':')
    return unreadable(
      line,
      property,
      'has no colon after the property name. A continuation line must begin with a space.',
    );
  return { outcome: 'property', property: { line, name: property, params, value: text.slice(at + 1) } };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function unreadable(line: number, name: string, what: string): ContentLine {
  return { outcome: 'unreadable', line, name, detail: `Line ${line} ${what}` };
}
