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

/** A line that may go on. Its parts are joined once, because a description can have tens of thousands. */
interface Begun {
  readonly line: number;
  readonly parts: string[];
  /** The beginning of the text, which tells what kind of line it is. */
  start: string;
}

/** Longer than the name and the parameters of any property that goes on. */
const START = 1000;

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
    const isFolded = /^[ \t]/.test(physical);
    if (begun !== undefined && isFolded && !WHOLE.test(begun.start)) append(begun, physical.slice(1));
    else if (begun !== undefined && !isFolded && goesOn(begun, physical)) join(begun, physical);
    else {
      if (begun !== undefined) yield* readLines(begun);
      const whole = physical.trimStart();
      begun = { line, parts: [whole], start: whole.slice(0, START) };
    }
  }
  if (begun !== undefined) yield* readLines(begun);
}

const OF_A_COMPONENT = /^(?:BEGIN|END):(.*)$/i;
/** Such a line is never folded. */
const WHOLE = /^(?:BEGIN|END):[A-Z]+$/i;
const DESCRIPTION = /^DESCRIPTION[;:]/i;
/**
 * Properties are written in capital letters nearly everywhere, the words of a description are not. `BEGIN: 7 PM` is no property
 * either.
 */
const PROPERTY = /^(?!(?:BEGIN|END):)[A-Z0-9-]+[;:]/;
const QUOTED_PRINTABLE = /^[^:]*QUOTED-PRINTABLE[^:]*:/i;

/** Whether a line without a space before it continues a property. */
function goesOn(begun: Begun, next: string): boolean {
  if (componentName(OF_A_COMPONENT.exec(next)?.[1] ?? '') !== undefined) return false;
  return hasSoftBreak(begun) || (DESCRIPTION.test(begun.start) && !PROPERTY.test(next));
}

/** A soft line break (RFC 2045, section 6.7). */
function hasSoftBreak({ parts, start }: Begun): boolean {
  return parts.at(-1)?.endsWith('=') === true && QUOTED_PRINTABLE.test(start);
}

function join(begun: Begun, next: string): void {
  const soft = hasSoftBreak(begun);
  if (soft) begun.parts.push((begun.parts.pop() ?? '').slice(0, -1));
  append(begun, soft ? next : `\\n${next}`);
}

function append(begun: Begun, part: string): void {
  begun.parts.push(part);
  if (begun.start.length < START) begun.start = (begun.start + part).slice(0, START);
}

/** Files that were joined without a line end have `END:VCALENDARBEGIN:VCALENDAR`. */
const JOINED_FILES = /^(END:[A-Z]+?)(BEGIN:[A-Z]+)$/i;

function* readLines({ line, parts }: Begun): Generator<ContentLine> {
  const text = parts.join('');
  const joined = JOINED_FILES.exec(text.trim());
  if (joined === null) yield readLine(line, text);
  else for (const part of joined.slice(1)) yield readLine(line, part);
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

/** The components of the iCalendar standards, of vCalendar 1.0 and of vCard. */
const KNOWN = new Set(
  `VCALENDAR VEVENT VTODO VJOURNAL VFREEBUSY VTIMEZONE STANDARD DAYLIGHT VALARM VAVAILABILITY AVAILABLE BUSY PARTICIPANT VLOCATION
  VRESOURCE VPOLL VVOTER VOTE VPATCH PATCH VCARD`.split(/\s+/),
);
const COMPONENT_NAME = /^[A-Z][A-Z0-9_-]*$/;

/**
 * The name of a component in capital letters, as BEGIN or END names it; undefined for words of a description, such as in "BEGIN: 7PM".
 * Unknown names count only if they are written as programs write them: in capitals, or with "X-" before them.
 */
export function componentName(value: string): string | undefined {
  const written = value.trimEnd();
  const name = written.trim().toUpperCase();
  const isOfProgram = COMPONENT_NAME.test(name) && (written === name || /^x-/i.test(written));
  return KNOWN.has(name) || isOfProgram ? name : undefined;
}

/**
 * The lines of a file, without their ends. A carriage return alone ends a line only in a file without line feeds: elsewhere it
 * is part of a text that a web form has sent. Several carriage returns before a line feed come from a file that was written in
 * text mode twice; some programs write one behind it. A generator, because a file of line ends alone would otherwise create millions of strings at once.
 */
export function* physicalLines(text: string): Generator<string> {
  const end = text.includes('\n') ? '\n' : '\r';
  let from = 0;
  for (let at = text.indexOf(end); at !== -1; at = text.indexOf(end, from)) {
    yield text.slice(from, beforeReturns(text, from, at));
    from = at + 1;
    while (end === '\n' && text[from] === '\r') from += 1;
  }
  yield text.slice(from);
}

function beforeReturns(text: string, from: number, at: number): number {
  let to = at;
  while (to > from && text[to - 1] === '\r') to -= 1;
  return to;
}
