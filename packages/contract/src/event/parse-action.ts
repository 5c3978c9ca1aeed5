import type * as z from 'zod';
import { asRecord, type Malformed, type Parsed, pointersOf } from '../problem/parsed.ts';
import { isBlank } from '../text/composed-text.ts';
import { locateJsonError } from '../text/json-error.ts';
import { ACTION_KINDS, type Action, type ActionKind, titled, type UpsertAction } from './action.ts';
import {
  EVENT_FIELD_NAMES,
  type EventContent,
  SENT_CONTENT_FIELDS,
  SENT_FIELD_NAMES,
} from './event-fields.ts';
import { readPlainAction } from './read-plain-action.ts';
import { idSchema, requestSchema, type WebhookRequest } from './request-schema.ts';

/** The result of parsing the body of a signed request. */
export type ParsedAction = Parsed<Action, ActionKind>;

const NOT_UTF8: Malformed = {
  outcome: 'malformed_json',
  detail: 'The body is not valid UTF-8. Send JSON encoded as UTF-8.',
};

/** A mark of UTF-8 at the start of a text. It is not a part of the JSON (RFC 8259, section 8.1). */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Reads the JSON value of a decoded body; undefined stands for a body that is not UTF-8. `read` is a constant function, so that
 * a request costs no closure.
 */
export function readJson<T>(body: string | undefined, read: (value: unknown) => T): T | Malformed {
  if (body === undefined) return NOT_UTF8;
  const text = body.startsWith(BYTE_ORDER_MARK) ? body.slice(1) : body;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const where = locateJsonError(text);
    return { outcome: 'malformed_json', detail: `The body is not valid JSON (${where}). Correct it there.` };
  }
  return read(value);
}

/**
 * Reads an action from the text of a body (see `decodeBody`). Never throws. Only with `externalIds` it reads `external_id` and
 * `replaces`: the senders of other sources may use fields of these names for something else.
 */
export function parseActionText(body: string | undefined, externalIds?: boolean): ParsedAction {
  return readJson(body, externalIds ? readActionWithId : readAction);
}

/** Reads an action from a parsed JSON value. Webhook, CLI and imports have the same rules. `externalIds`: see parseActionText. */
export function readAction(value: unknown, externalIds = false): ParsedAction {
  const plain = readPlainAction(value, externalIds);
  const parsed: ParsedAction =
    plain === undefined ? readBySchema(value, externalIds) : { outcome: 'valid', action: plain };
  if (parsed.outcome !== 'valid' || parsed.action.kind !== 'upsert') return parsed;
  const unread = unreadFields(value, externalIds ? READ_WITH_ID : READ);
  return unread === undefined ? parsed : { ...parsed, unread };
}

export const readActionWithId = (value: unknown): ParsedAction => readAction(value, true);

/** The fields of the event of an upsert that are not read; undefined: none. A misspelt one would be lost unseen. */
function unreadFields(value: unknown, read: ReadonlySet<string>): readonly string[] | undefined {
  const { event } = value as { event: object };
  // Nearly no event has one, so the loop makes no list.
  for (const name in event) if (!read.has(name)) return Object.keys(event).filter((one) => !read.has(one));
  return undefined;
}

const READ: ReadonlySet<string> = new Set(EVENT_FIELD_NAMES.filter((name) => name !== 'external_id'));
const READ_WITH_ID: ReadonlySet<string> = new Set(SENT_FIELD_NAMES);

/** Reads an action by the schema alone, which decides and explains errors. */
export function readBySchema(value: unknown, externalIds = false): ParsedAction {
  const { action, event } = asRecord(value);
  const isById = externalIds && !isBlank(asRecord(event).external_id);
  if (isById && (action === 'cancel' || action === 'delete')) return readById(value, action);
  const read = requestSchema.safeParse(readable(value, externalIds));
  return read.success ? { outcome: 'valid', action: toAction(read.data) } : wrongFields(read.error, value);
}

function readById(value: unknown, kind: 'cancel' | 'delete'): ParsedAction {
  const read = idSchema.safeParse(value);
  if (!read.success) return wrongFields(read.error, value);
  const { external_id } = read.data.event;
  const identity = titled(asRecord(asRecord(value).event).title);
  return { outcome: 'valid', action: { kind, identity, external_id } };
}

/**
 * The request without the fields that its action does not need. Cancel and delete name their event by title, start and location
 * (docs/sending-events.md). Booking systems send other fields beside these, right or wrong.
 */
function readable(value: unknown, externalIds: boolean): unknown {
  const { action, event } = asRecord(value);
  if (asRecord(event) !== event || Array.isArray(event)) return value;
  if (action === 'cancel' || action === 'delete') {
    const { title, starts_at, location } = asRecord(event);
    return { action, event: { title, starts_at, location } };
  }
  return externalIds ? value : { action, event: { ...event, external_id: undefined, replaces: undefined } };
}

function toAction({ action, event }: WebhookRequest): Action {
  const identity = { title: event.title, starts_at: event.starts_at, location: event.location ?? '' };
  switch (action) {
    case 'upsert':
      return {
        ...{ kind: 'upsert', identity, content: contentOf(event), status: event.status ?? 'upcoming' },
        ...idsOf(event),
      };
    case 'cancel':
    case 'delete':
      return { kind: action, identity };
  }
}

function idsOf({
  external_id,
  replaces,
}: WebhookRequest['event']): Pick<UpsertAction, 'external_id' | 'replaces'> {
  if (external_id === undefined) return {};
  return replaces === undefined || replaces === external_id ? { external_id } : { external_id, replaces };
}

function contentOf(event: WebhookRequest['event']): EventContent {
  const sent = SENT_CONTENT_FIELDS.filter((name) => event[name] !== undefined);
  return Object.fromEntries(sent.map((name) => [name, event[name]]));
}

function wrongFields(error: z.ZodError, value: unknown): ParsedAction {
  return { outcome: 'validation_failed', errors: pointersOf(error), ...glance(value) };
}

/** Action and title of a wrong request, so that an admin can recognise it in the log. */
function glance(value: unknown): { action: ActionKind | null; title: string | null } {
  const { action, event } = asRecord(value);
  const { title } = asRecord(event);
  return {
    action: ACTION_KINDS.find((kind) => kind === action) ?? null,
    title: typeof title === 'string' ? titled(title).title : null,
  };
}
