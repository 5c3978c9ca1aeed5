import { isUtf8 } from 'node:buffer';
import { asRecord, type Malformed, type Parsed, pointersOf } from '../problem/parsed.ts';
import { locateJsonError } from '../text/json-error.ts';
import { ACTION_KINDS, type Action, type ActionKind } from './action.ts';
import { EVENT_FIELD_NAMES, type EventContent, SENT_CONTENT_FIELDS } from './event-fields.ts';
import { readPlainAction } from './read-plain-action.ts';
import { requestSchema, type WebhookRequest } from './request-schema.ts';

/** The result of parsing the body of a signed request. */
export type ParsedAction = Parsed<Action, ActionKind>;

/** Reads an action from the exact bytes of a body (docs/sending-events.md). Never throws. */
export function parseAction(body: Uint8Array): ParsedAction {
  return parseActionText(decodeBody(body));
}

/**
 * The text of a body; undefined if it is not UTF-8. A fatal TextDecoder has the same result, but its strings always have two
 * bytes for each character, which doubles the cost of using them (bench/speed-tried.md).
 */
export function decodeBody(body: Uint8Array): string | undefined {
  return isUtf8(body)
    ? Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
    : undefined;
}

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

/** Reads an action from the text of a body (see `decodeBody`). Never throws. */
export function parseActionText(body: string | undefined): ParsedAction {
  return readJson(body, readAction);
}

/** Reads an action from a parsed JSON value. Webhook, CLI and imports have the same rules. */
export function readAction(value: unknown): ParsedAction {
  const plain = readPlainAction(value);
  const parsed: ParsedAction =
    plain === undefined ? readBySchema(value) : { outcome: 'valid', action: plain };
  if (parsed.outcome !== 'valid' || parsed.action.kind !== 'upsert') return parsed;
  const unread = unreadFields(value);
  return unread === undefined ? parsed : { ...parsed, unread };
}

/** The fields of the event of an upsert that are not read; undefined: none. A misspelt one would be lost unseen. */
function unreadFields(value: unknown): readonly string[] | undefined {
  const { event } = value as { event: object };
  // Nearly no event has one, so the loop makes no list.
  for (const name in event) if (!READ.has(name)) return Object.keys(event).filter((one) => !READ.has(one));
  return undefined;
}

const READ: ReadonlySet<string> = new Set(EVENT_FIELD_NAMES);

/** Reads an action by the schema alone, which decides and explains errors. */
export function readBySchema(value: unknown): ParsedAction {
  const read = requestSchema.safeParse(withoutContent(value));
  if (read.success) return { outcome: 'valid', action: toAction(read.data) };
  return { outcome: 'validation_failed', errors: pointersOf(read.error), ...glance(value) };
}

/**
 * The request without the fields that its action does not need. Cancel and delete name their event by title, start and location
 * (docs/sending-events.md). Booking systems send other fields beside these, right or wrong.
 */
function withoutContent(value: unknown): unknown {
  const { action, event } = asRecord(value);
  if ((action !== 'cancel' && action !== 'delete') || asRecord(event) !== event || Array.isArray(event))
    return value;
  const { title, starts_at, location } = asRecord(event);
  return { action, event: { title, starts_at, location } };
}

function toAction({ action, event }: WebhookRequest): Action {
  const identity = { title: event.title, starts_at: event.starts_at, location: event.location ?? '' };
  switch (action) {
    case 'upsert':
      return { kind: 'upsert', identity, content: contentOf(event), status: event.status ?? 'upcoming' };
    case 'cancel':
    case 'delete':
      return { kind: action, identity };
  }
}

function contentOf(event: WebhookRequest['event']): EventContent {
  const sent = SENT_CONTENT_FIELDS.filter((name) => event[name] !== undefined);
  return Object.fromEntries(sent.map((name) => [name, event[name]]));
}

const LOGGED_TITLE_LENGTH = 500;

/** Action and title of a wrong request, so that an admin can recognise it in the log. */
function glance(value: unknown): { action: ActionKind | null; title: string | null } {
  const { action, event } = asRecord(value);
  const { title } = asRecord(event);
  return {
    action: ACTION_KINDS.find((kind) => kind === action) ?? null,
    title: typeof title === 'string' ? title.slice(0, LOGGED_TITLE_LENGTH).toWellFormed() : null,
  };
}
