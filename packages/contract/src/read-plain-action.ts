import { ACTION_KINDS, type Action } from './action.ts';
import { composedText } from './composed-text.ts';
import {
  EVENT_STATUSES,
  type EventContent,
  type EventIdentity,
  MAX_LENGTH,
  RECURRENCES,
} from './event-fields.ts';
import { parseInstant } from './instant.ts';
import type { Mutable } from './mutable.ts';

/**
 * Reads a valid and ordinary action without the schema, at a fifth of its cost (bench/speed-tried.md). Nearly all actions are
 * ordinary. For any other value it returns undefined, and the schema decides and explains (request-schema.ts). A property
 * test compares the two.
 */
export function readPlainAction(value: unknown): Action | undefined {
  const { action, event } = fieldsOf(value);
  const kind = ACTION_KINDS.find((one) => one === action);
  const fields = fieldsOf(event);
  const title = identityText(fields.title, MAX_LENGTH.title);
  const location = isAbsent(fields.location) ? '' : identityText(fields.location, MAX_LENGTH.location);
  const startsAt = instant(fields.starts_at);
  if (kind === undefined || !title || location === undefined || startsAt === undefined) return undefined;
  const identity = { title, starts_at: startsAt, location };
  return kind === 'upsert' ? upsertOf(identity, fields) : { kind, identity };
}

type Fields = Readonly<Record<string, unknown>>;
const NO_FIELDS: Fields = {};

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : NO_FIELDS;
}

/** Undefined if any field is wrong. */
function upsertOf(identity: EventIdentity, fields: Fields): Action | undefined {
  const endsAt = isAbsent(fields.ends_at) ? null : instant(fields.ends_at);
  const description = optionalText(fields.description, MAX_LENGTH.description);
  const price = optionalText(fields.price, MAX_LENGTH.price);
  const url = isAbsent(fields.url) ? null : httpUrl(fields.url);
  const recurring = optionalOneOf(RECURRENCES, fields.recurring);
  const status = optionalOneOf(EVENT_STATUSES, fields.status);
  if (endsAt === undefined || (endsAt !== null && endsAt < identity.starts_at)) return undefined;
  if (description === undefined || price === undefined || url === undefined) return undefined;
  if (recurring === undefined || status === undefined) return undefined;
  // Conditional spreads would read better, but cost more than all checks above.
  const content: Mutable<EventContent> = {};
  if (endsAt !== null) content.ends_at = endsAt;
  if (description !== null) content.description = description;
  if (url !== null) content.url = url;
  if (price !== null) content.price = price;
  if (recurring !== null) content.recurring = recurring;
  return { kind: 'upsert', identity, content, status: status ?? 'upcoming' };
}

/** Serializers write null, and forms send an empty text, for a field that is not set. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === '' || value === null;
}

function instant(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const parsed = parseInstant(value);
  return parsed.ok ? parsed.epochMs : undefined;
}

/** Counts UTF-16 units. A text that fits only if characters are counted is left to the schema. */
function plainText(value: unknown, max: number): string | undefined {
  return typeof value === 'string' && value.length <= max && value.isWellFormed() ? value : undefined;
}

function identityText(value: unknown, max: number): string | undefined {
  // The text is composed first, because NFC can make it longer.
  return typeof value === 'string' ? plainText(composedText(value, max), max) : undefined;
}

/** null if absent. */
function optionalText(value: unknown, max: number): string | null | undefined {
  return isAbsent(value) ? null : plainText(value, max);
}

function optionalOneOf<T extends string>(values: readonly T[], value: unknown): T | null | undefined {
  return isAbsent(value) ? null : values.find((one) => one === value);
}

/**
 * A host of letters and a path without escapes, which every URL parser accepts. Calling a parser costs more than all other
 * checks of the URL. (A label must not begin with `xn--`, so `--` is excluded. A last label of digits would make it an IPv4
 * address.)
 */
const PLAIN_URL = /^https?:\/\/(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]+(?:\/[\w./-]*)?$/;

function httpUrl(value: unknown): string | undefined {
  const text = plainText(value, MAX_LENGTH.url);
  if (text !== undefined && PLAIN_URL.test(text)) return text;
  return text !== undefined && /^https?:\/\/[a-z0-9]/i.test(text) && URL.canParse(text) ? text : undefined;
}
