import { composedText, isBlank } from '../text/composed-text.ts';
import { parseInstant } from '../time/instant.ts';
import { ACTION_KINDS, type Action, type ActionKind, titled } from './action.ts';
import {
  EVENT_FIELDS,
  EVENT_STATUSES,
  type EventIdentity,
  type FieldDeclaration,
  SENT_CONTENT_FIELDS,
} from './event-fields.ts';

/**
 * Reads a valid and ordinary action without the schema, at a fifth of its cost (bench/speed-tried.md). Nearly all actions are
 * ordinary. For any other value it returns undefined, and the schema decides and explains (request-schema.ts). A property
 * test compares the two.
 */
export function readPlainAction(value: unknown, externalIds = false): Action | undefined {
  const { action, event } = fieldsOf(value);
  const kind = ACTION_KINDS.find((one) => one === action);
  const fields = fieldsOf(event);
  if (externalIds && !isWithoutId(fields)) return kind && readWithId(kind, fields);
  return kind && readByTitle(kind, fields);
}

function readByTitle(kind: ActionKind, fields: Fields): Action | undefined {
  const title = identityText(fields.title, EVENT_FIELDS.title.max);
  const location = isAbsent(fields.location) ? '' : identityText(fields.location, EVENT_FIELDS.location.max);
  const startsAt = instant(fields.starts_at);
  if (!title || location === undefined || startsAt === undefined) return undefined;
  const identity = { title, starts_at: startsAt, location };
  return kind === 'upsert' ? upsertOf(identity, fields) : { kind, identity };
}

/** Reads an action with an `external_id`. */
function readWithId(kind: ActionKind, fields: Fields): Action | undefined {
  const external_id = idText(fields.external_id);
  if (!external_id) return undefined;
  if (kind !== 'upsert') return { kind, identity: titled(fields.title), external_id };
  const upsert = readByTitle(kind, fields);
  const replaces = isBlank(fields.replaces) ? external_id : idText(fields.replaces);
  if (upsert?.kind !== 'upsert' || replaces === undefined) return undefined;
  return replaces === external_id ? { ...upsert, external_id } : { ...upsert, external_id, replaces };
}

type Fields = Readonly<Record<string, unknown>>;
const NO_FIELDS: Fields = {};

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : NO_FIELDS;
}

/** Undefined if any field is wrong. */
function upsertOf(identity: EventIdentity, fields: Fields): Action | undefined {
  const content: Record<string, string | number> = {};
  for (const { name, read } of CONTENT) {
    const sent = fields[name];
    if (isAbsent(sent)) continue;
    const value = read(sent);
    if (value === undefined) return undefined;
    content[name] = value;
  }
  const endsAt = content.ends_at as number | undefined;
  if (endsAt !== undefined && endsAt < identity.starts_at) return undefined;
  const status = isAbsent(fields.status) ? 'upcoming' : oneOf(EVENT_STATUSES, fields.status);
  return status && { kind: 'upsert', identity, content, status };
}

const CONTENT = SENT_CONTENT_FIELDS.map((name) => ({ name, read: readerOf(EVENT_FIELDS[name]) }));

function readerOf(field: FieldDeclaration): (value: unknown) => string | number | undefined {
  switch (field.type) {
    case 'instant':
      return instant;
    case 'text':
      return (value) => plainText(value, field.max);
    case 'url':
      return (value) => httpUrl(value, field.max);
    case 'choice':
      return (value) => oneOf(field.values, value);
  }
}

/** Serializers write null, and forms send an empty text, for a field that is not set. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === '' || value === null;
}

function isWithoutId({ external_id, replaces }: Fields): boolean {
  return isBlank(external_id) && isBlank(replaces);
}

function idText(value: unknown): string | undefined {
  return identityText(value, EVENT_FIELDS.external_id.max);
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

function oneOf<T extends string>(values: readonly T[], value: unknown): T | undefined {
  return values.find((one) => one === value);
}

/**
 * A host of letters and a path without escapes, which every URL parser accepts. Calling a parser costs more than all other
 * checks of the URL. (A label must not begin with `xn--`, so `--` is excluded. A last label of digits would make it an IPv4
 * address.)
 */
const PLAIN_URL = /^https?:\/\/(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]+(?:\/[\w./-]*)?$/;

function httpUrl(value: unknown, max: number): string | undefined {
  const text = plainText(value, max);
  if (text !== undefined && PLAIN_URL.test(text)) return text;
  return text !== undefined && /^https?:\/\/[a-z0-9]/i.test(text) && URL.canParse(text) ? text : undefined;
}
