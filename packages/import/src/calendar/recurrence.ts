import { RECURRENCES, type Recurrence } from '@sluice/contract/event/event-fields';

/** An RRULE as the field `recurring` (docs/importing-events.md). The rule is never expanded. */
export type RecurrenceRead =
  /** `simplified`: the rule has more detail than the word. */
  | { readonly outcome: 'read'; readonly recurring: Recurrence; readonly simplified: boolean }
  /** The rule says nothing, so the event does not recur. Programs write `RRULE:` or `FREQ=NONE` into every event. */
  | { readonly outcome: 'none' }
  /** The rule says something that no word says. */
  | { readonly outcome: 'unsupported'; readonly detail: string };

/** The parts of a rule by name, all in capital letters. */
export function readRule(text: string): ReadonlyMap<string, string> {
  const pairs = text.split(';', MAX_PARTS).map((part) => part.trim().toUpperCase().split('=', 2));
  return new Map(pairs.flatMap(([name, value]) => (name && value !== undefined ? [[name, value]] : [])));
}

const MAX_PARTS = 32;

/** Parts that repeat the start of the event when they name a single day. Many calendar programs write them. */
const OF_THE_START: Readonly<Record<Recurrence, readonly string[]>> = {
  daily: [],
  weekly: ['BYDAY'],
  monthly: ['BYMONTHDAY'],
  yearly: ['BYMONTH', 'BYMONTHDAY'],
};

const SAYS_NOTHING = new Set(['', 'none', 'never', 'no', 'null', 'undefined']);

/** Reads how often an event recurs. */
export function readRecurrence(text: string): RecurrenceRead {
  const rule = readRule(text);
  const frequency = (rule.get('FREQ') ?? '').toLowerCase();
  const recurring = RECURRENCES.find((one) => one === frequency);
  if (recurring === undefined) {
    if (SAYS_NOTHING.has(frequency)) return { outcome: 'none' };
    const shown = `FREQ "${frequency.slice(0, 20)}"`;
    return {
      outcome: 'unsupported',
      detail: `The RRULE has ${shown}. Supported: ${RECURRENCES.join(', ')}.`,
    };
  }
  const saysMore = ([name, value]: readonly [string, string]) => {
    if (name === 'FREQ' || name === 'WKST' || (name === 'INTERVAL' && value === '1')) return false;
    return value.includes(',') || !OF_THE_START[recurring].includes(name);
  };
  return { outcome: 'read', recurring, simplified: [...rule].some(saysMore) };
}
