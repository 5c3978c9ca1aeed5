import { UNAPPLIED } from '@sluice/contract/delivery/delivery';
import { SENT_FIELD_NAMES } from '@sluice/contract/event/event-fields';
import { PROBLEM_CONTENT_TYPE, PROBLEMS, problemBody } from '@sluice/contract/problem/problem';
import type { Refusal } from './refusal.ts';
import type { AnswerHeaders, AppliedResult, RateHeaders, Reply, Send, UnreadFields } from './reply.ts';

type Accepted = Extract<Reply, { kind: 'accepted' }>;

/** Writes the response. */
export function sendReply(send: Send, requestId: string, reply: Reply): void {
  switch (reply.kind) {
    case 'accepted':
      sendAccepted(send, requestId, reply);
      break;
    case 'unapplied':
      sendUnapplied(send, requestId, reply);
      break;
    case 'refused':
      sendRefusal(send, requestId, reply.refusal, reply.rate);
      break;
  }
}

function sendAccepted(send: Send, requestId: string, accepted: Accepted): void {
  const { deliveryId, duplicate, rate } = accepted;
  const body = { ok: true, status: 'ok', delivery_id: deliveryId, duplicate: duplicate || undefined };
  const headers = headersOf('application/json', requestId, rate);
  if (accepted.unread !== undefined) Object.assign(body, { note: unreadNote(accepted.unread) });
  if (accepted.result !== undefined) addResult(accepted.result, headers, body);
  sendJson(send, 200, headers, body);
}

/** A 200, because the platform would disable a webhook that gets errors. */
function sendUnapplied(
  send: Send,
  requestId: string,
  { deliveryId, unapplied, rate }: Extract<Reply, { kind: 'unapplied' }>,
): void {
  const isIgnored = UNAPPLIED[unapplied.code] === 'ignored';
  const why = isIgnored ? { ignored: true } : { note: unapplied.reason };
  const body = { ok: true, status: 'ok', delivery_id: deliveryId, ...why };
  sendJson(send, 200, headersOf('application/json', requestId, rate), body);
}

/** Nearly no response has these fields. */
function addResult(result: AppliedResult, headers: AnswerHeaders, body: object): void {
  const { outcome, event_id, conversation_id, waitSeconds } = result;
  headers['preference-applied'] = `wait=${waitSeconds}`;
  // JSON omits undefined. An action of a channel has no event.
  Object.assign(body, { outcome, event_id: event_id ?? undefined, conversation_id });
}

const NAMED = 5;
const NAME_LENGTH = 50;

const KNOWN_WITH_IDS = SENT_FIELD_NAMES.join(', ');
const KNOWN = SENT_FIELD_NAMES.filter((name) => name !== 'external_id' && name !== 'replaces').join(', ');
const IDS_ARE_OFF =
  'To use external_id, switch external ids on for the source: sluice source update SOURCE_ID --external-ids on.';

/** A misspelt field would be lost unseen otherwise. The names are the sender's, so they are cut. */
function unreadNote({ fields, hasIds }: UnreadFields): string {
  const names = fields.slice(0, NAMED).map((name) => name.slice(0, NAME_LENGTH).toWellFormed());
  const more = fields.length > NAMED ? ` and ${fields.length - NAMED} more` : '';
  const known = hasIds ? KNOWN_WITH_IDS : KNOWN;
  const note = `These fields of the event are not known and were ignored: ${names.join(', ')}${more}. An event has ${known}.`;
  return fields.includes('external_id') ? `${note} ${IDS_ARE_OFF}` : note;
}

/** Writes a rejection as problem details (RFC 9457). */
export function sendRefusal(send: Send, requestId: string, refusal: Refusal, rate?: RateHeaders): void {
  const { code, detail, errors, retryAfterSeconds } = refusal;
  const headers = headersOf(PROBLEM_CONTENT_TYPE, requestId, rate);
  if (code === 'method_not_allowed') headers.allow = 'POST';
  if (retryAfterSeconds !== undefined) headers['retry-after'] = retryAfterSeconds;
  sendJson(send, PROBLEMS[code].status, headers, problemBody(code, detail, requestId, errors));
}

/**
 * The headers of every response, with the rate if it is known.
 * draft-ietf-httpapi-ratelimit-headers: q requests in w seconds; r remain, and all are free again in t seconds.
 */
function headersOf(contentType: string, requestId: string, rate: RateHeaders | undefined): AnswerHeaders {
  const headers: AnswerHeaders = {
    'content-type': contentType,
    'content-length': 0,
    'x-request-id': requestId,
  };
  if (rate !== undefined) {
    const { state, perSecond, burst } = rate;
    headers['ratelimit-policy'] = `"source";q=${burst};w=${Math.max(1, Math.ceil(burst / perSecond))}`;
    headers.ratelimit = `"source";r=${state.remaining};t=${state.resetSeconds}`;
  }
  return headers;
}

function sendJson(send: Send, status: number, headers: AnswerHeaders, body: object): void {
  const payload = JSON.stringify(body);
  headers['content-length'] = Buffer.byteLength(payload);
  send(status, headers, payload);
}
