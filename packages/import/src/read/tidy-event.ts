import {
  EVENT_FIELDS,
  type EventField,
  type FieldDeclaration,
  RECURRENCES,
  type Recurrence,
} from '@sluice/contract/event/event-fields';
import { parseInstant } from '@sluice/contract/time/instant';
import type { ImportRow } from '@sluice/dashboard-api/imports';
import { readRecurrence } from '../calendar/recurrence.ts';
import { hasEnd } from './end-of-rule.ts';

type EventCells = ImportRow['event'];

/** An event that can be imported, and what was left out or cut for it. Sentences. */
export interface TidyEvent {
  readonly event: EventCells;
  readonly notes: readonly string[];
}

/**
 * Makes optional fields of other programs fit: a link without a scheme, a status in other words, a text that is too long, an end
 * before the start. Such a field costs no event. What a field can't say is left out, and a note says so.
 */
export function tidyEvent(cells: EventCells): TidyEvent {
  const event: { -readonly [K in keyof EventCells]: EventCells[K] } = {};
  const notes: string[] = [];
  for (const [field, text] of Object.entries(cells) as [keyof EventCells, string | undefined][]) {
    if (text === undefined || text.trim() === '') continue;
    const tidy = tidied(field, text.trim());
    if (tidy.text !== undefined) event[field] = tidy.text;
    if (tidy.note !== undefined) notes.push(tidy.note);
  }
  if (event.ends_at !== undefined && !parseInstant(event.ends_at).ok) {
    notes.push(`ends_at "${event.ends_at.slice(0, 30)}" is no time. The event has no end now.`);
    delete event.ends_at;
  } else if (event.ends_at !== undefined && isBefore(event.ends_at, event.starts_at)) {
    delete event.ends_at;
    notes.push('ends_at is before starts_at. The event has no end now.');
  }
  return { event, notes };
}

interface Tidy {
  /** Absent: the field is left out. */
  readonly text?: string;
  readonly note?: string;
}

const TIDY: Readonly<Partial<Record<EventField, (text: string) => Tidy>>> = {
  url: tidyLink,
  recurring: tidyRecurring,
  status: tidyStatus,
  // A shorter id would be that of another event.
  external_id: (text) => ({ text }),
};

function tidied(name: EventField, text: string): Tidy {
  const field: FieldDeclaration = EVENT_FIELDS[name];
  return TIDY[name]?.(text) ?? (field.type === 'text' ? cut(name, text, field.max) : { text });
}

function cut(field: EventField, text: string, max: number): Tidy {
  // Two UTF-16 units are one character at least.
  if (text.length <= max) return { text };
  const characters = [...text];
  if (characters.length <= max) return { text };
  const kept = characters.slice(0, max).join('').trimEnd();
  const [has, most] = [characters.length.toLocaleString('en'), max.toLocaleString('en')];
  return { text: kept, note: `${field} has ${has} characters and was cut to ${most}.` };
}

const NO_LINK = /^(?:none|null|nil|n\/?a|no|-+|–|—|tba|tbd|\?|\.)$/i;
const HOST =
  /^(?:www\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+(?::\d+)?(?:[/?#].*)?$/i;

function tidyLink(text: string): Tidy {
  if (NO_LINK.test(text)) return {};
  if (/^https?:\/\//i.test(text))
    return URL.canParse(text) && text.length <= EVENT_FIELDS.url.max
      ? { text }
      : { note: 'url is too long or no address. The event has no link now.' };
  if (HOST.test(text) && URL.canParse(`https://${text}`)) return { text: `https://${text}` };
  return { note: `url "${text.slice(0, 30)}" is no web address. The event has no link now.` };
}

const NOT_RECURRING =
  /^(?:no|none|never|false|0|once|one[- ]?(?:time|off)|single|-+|n\/?a|(?:does not|doesn['’]t|do not|not|non)[- ](?:repeat|recur)(?:s|ing)?)$/i;
/** Words that mean just this. */
const RECURRING: Readonly<Record<Recurrence, RegExp>> = {
  daily: /^(?:daily|day)$/,
  weekly: /^(?:weekly|week)$/,
  monthly: /^(?:monthly|month)$/,
  yearly: /^(?:yearly|year|annual|annually)$/,
};
/** The frequency in other words. The first that fits counts: `first Monday of each month` is monthly. */
const CONTAINED: readonly (readonly [RegExp, Recurrence])[] = [
  [/^daily/, 'daily'],
  [/^weekly/, 'weekly'],
  [/year|annual/, 'yearly'],
  [/month|quarter/, 'monthly'],
  [/week|fortnight|(?:mon|tues|wednes|thurs|fri|satur|sun)day/, 'weekly'],
  [/\bdaily|\bdays?\b/, 'daily'],
];

/** A rule of a calendar (RFC 5545, section 3.3.10), in the column of a program that exports calendars as CSV. */
const RULE = /^(?:RRULE:)?(?=(?:[^;]*;)*\s*FREQ=)/i;

/** The rule in a cell; undefined if the cell has other words. */
export function ruleIn(text: string): string | undefined {
  return RULE.test(text) ? text.replace(RULE, '') : undefined;
}

function tidyRecurring(text: string): Tidy {
  if (NOT_RECURRING.test(text)) return {};
  const rule = ruleIn(text);
  if (rule !== undefined) return tidyRule(text, rule);
  const words = text.toLowerCase().replace(/^(?:every|each|once a) /, '');
  const exact = RECURRENCES.find((one) => RECURRING[one].test(words));
  if (exact !== undefined) return { text: exact };
  const [, read] = CONTAINED.find(([pattern]) => pattern.test(words)) ?? [];
  const shown = `recurring "${text.slice(0, 60)}"`;
  if (read === undefined) return { note: `${shown} is not known. Only the first day is imported.` };
  return { text: read, note: `${shown} was read as ${read}. The rest is dropped.` };
}

function tidyRule(text: string, rule: string): Tidy {
  const read = readRecurrence(rule);
  switch (read.outcome) {
    case 'none':
      return {};
    case 'unsupported':
      return { note: `recurring "${text.slice(0, 60)}" is not supported. Only the first day is imported.` };
    case 'read': {
      const note = `recurring "${text.slice(0, 60)}" was read as ${read.recurring}. The rest of the rule is dropped${hasEnd(rule) ? ', except its end' : ''}.`;
      return { text: read.recurring, ...(read.simplified && { note }) };
    }
  }
}

/** Of a booking too: one that waits for an answer may take place. */
const UPCOMING =
  /^(?:upcoming|confirmed|scheduled|rescheduled|active|published|publish|planned|tentative|pending|awaiting.*|requested|unconfirmed|accepted|approved|booked|reserved|paid|unpaid|new|open|complete|completed|done|past|attended|yes|on|ok)$/i;
const CANCELLED =
  /^(?:(?:.*\W)?cancell?ed(?:\W.*)?|cancell?ation|rejected|declined|denied|refused|deleted|removed|void|voided|withdrawn)$/i;

function tidyStatus(text: string): Tidy {
  // Programs write IN_PROGRESS and Cancelled_by_guest.
  const words = text.replaceAll('_', ' ');
  if (/^not cancell?ed$/i.test(words)) return { text: 'upcoming' };
  if (CANCELLED.test(words)) return { text: 'cancelled' };
  if (UPCOMING.test(words)) return { text: 'upcoming' };
  return { note: `status "${text.slice(0, 30)}" is not known and was left out. The event is upcoming.` };
}

const NO = /^(?:false|no|n|0|-+|none|null|n\/?a|off|nein|non|not cancell?ed)$/i;

/** The status in a column whose name says that the event is cancelled: `true`, or when or by whom. */
export function statusOfCancelled(text: string): string {
  return text === '' || NO.test(text) ? '' : 'cancelled';
}

function isBefore(end: string, start: string | undefined): boolean {
  const [to, from] = [Date.parse(end), Date.parse(start ?? '')];
  return !Number.isNaN(to) && !Number.isNaN(from) && to < from;
}
