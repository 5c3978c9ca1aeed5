import { titleOf } from '@sluice/contract/delivery/action-title';
import type { KeptRequest } from '@sluice/contract/delivery/delivery';
import { admittedDeliveryId, otherDeliveryId } from '@sluice/contract/delivery/delivery-id';
import type { AnyAction, AskedAction, RefusedRequest } from '@sluice/contract/delivery/groups';
import { SIGNATURE_HEADER, SIGNATURE_PREFIX, TIMESTAMP_HEADER } from '@sluice/signature/sign';
import { loggedReason, type Refusal, reasonOf, type Unapplied } from '../answer/refusal.ts';
import type { Incoming } from '../receive/incoming.ts';
import type { RequestTrace } from '../trace/request-trace.ts';
import type { KnownSource } from '../verify/known-source.ts';
import type { Verified } from '../verify/verified.ts';

/** A verified or rejected request that waits for its group. */
export interface Candidate {
  readonly requestId: string;
  /** Milliseconds since the Unix epoch. */
  readonly receivedAt: number;
  readonly source: KnownSource;
  readonly verified: Verified;
  /** Present if the signature is valid and the source stores bodies. */
  readonly request?: KeptRequest | undefined;
  /** The bytes that it adds to the group's job. */
  readonly bytes: number;
  /** This ingress, if the sender waits for the result (results/results.ts). */
  readonly resultsTo?: string | undefined;
  readonly trace?: RequestTrace | undefined;
}

/** Bytes of a row in a group's job, without the body of its request. */
export const ROW_BYTES = 300;

/** The worker reads only what has neither a mapping nor an `external_id` from a body. */
function isInBody({ action, mapped }: Extract<Verified, { outcome: 'action' }>): boolean {
  return mapped === undefined && !('external_id' in action);
}

/** A request as the worker gets it if it is admitted. */
export function askedAction({
  requestId,
  receivedAt,
  source,
  verified,
  request,
  resultsTo,
  trace,
}: Candidate): AskedAction {
  if (verified.outcome !== 'action') throw new Error(`${requestId} asks to be admitted without an action`);
  const { source_id, account_id } = source.record;
  return {
    request_id: requestId,
    source_id,
    account_id,
    received_at: receivedAt,
    // JSON omits undefined. The worker then reads the action from the body (contract: EnqueuedAction).
    action: typeof request?.body === 'string' && isInBody(verified) ? undefined : verified.action,
    // Undefined, and omitted too, for events.
    source_kind: source.record.kind,
    request,
    signed_with: verified.signedWith,
    // Undefined, and omitted too, if the body is the action.
    mapped: verified.mapped,
    request_for: source.bodyStorage === 'failures' ? 'failures' : undefined,
    // Undefined, and omitted too, if no sender waits.
    results_to: resultsTo,
    // Undefined, and omitted too, if the request is not traced.
    traceparent: trace?.enqueuedAs(),
  };
}

/** The id of an accepted request's row in the delivery log. */
export function acceptedId({ requestId, source }: Candidate, sequence: number, duplicate: boolean): string {
  return duplicate ? otherDeliveryId(requestId) : admittedDeliveryId(source.record.source_id, sequence);
}

/** Rejections that ask the sender to retry. A flood of them must not fill the log with bodies. */
const SENT_AGAIN: ReadonlySet<string> = new Set(['rate_limited', 'unavailable']);

/** The parts of a rejected request that its row keeps, whatever its signature. */
export interface RefusedParts {
  readonly http: Pick<Incoming, 'headers'>;
  readonly bytes: number;
  readonly address: string;
}

/** A request that is only logged, as the worker gets it. */
export function refusedRequest(
  candidate: Candidate,
  refusal: Refusal | Unapplied,
  parts: RefusedParts,
): RefusedRequest {
  const { requestId, receivedAt, source, verified } = candidate;
  const { source_id, account_id } = source.record;
  return {
    delivery_id: otherDeliveryId(requestId),
    request_id: requestId,
    source_id,
    account_id,
    received_at: receivedAt,
    action: verified.outcome === 'action' ? verified.action.kind : verified.action,
    title: verified.outcome === 'action' ? titleOf(verified.action) : verified.title,
    ...(verified.outcome === 'action' && idOf(verified.action)),
    ...('reason' in refusal
      ? { code: null, unapplied: refusal.code, reason: loggedReason(refusal.reason) }
      : { code: refusal.code, reason: reasonOf(refusal) }),
    mapped: verified.mapped,
    ...(verified.signedWith !== undefined && { signed_with: verified.signedWith }),
    request: {
      ...keepRequest(parts.http, parts.bytes, undefined, source.sender !== undefined),
      body: SENT_AGAIN.has(refusal.code) ? null : (candidate.request?.body ?? null),
      address: parts.address.slice(0, ADDRESS_LENGTH),
    },
  };
}

function idOf(action: AnyAction): Pick<RefusedRequest, 'external_id'> {
  return 'external_id' in action && action.external_id !== undefined
    ? { external_id: action.external_id }
    : {};
}

/** The row with what it says of the request, but not its body. */
export function withoutBody(row: RefusedRequest): RefusedRequest {
  return row.request === undefined ? row : { ...row, request: { ...row.request, body: null } };
}

/** Bytes that a rejected request adds to its group's job, without the escapes of JSON. */
export function bytesOfRefusal({ request }: RefusedRequest): number {
  return ROW_BYTES + Buffer.byteLength(request?.body ?? '');
}

/** An IPv6 address with a zone fits. */
const ADDRESS_LENGTH = 64;

/** Larger bodies are not stored, because the log has 30 days of them. */
const MAX_KEPT_BYTES = 64 * 1024;

const SIGNATURE_SHOWN = SIGNATURE_PREFIX.length + 8;
const HEADER_LENGTH = 200;

/** The stored parts of a request: enough to show it, and no secret. The headers of other senders can be secrets. */
export function keepRequest(
  { headers }: Pick<Incoming, 'headers'>,
  bytes: number,
  text: string | undefined,
  ofOtherSender: boolean,
): KeptRequest {
  return {
    content_type: short(headers['content-type'], HEADER_LENGTH),
    user_agent: short(headers['user-agent'], HEADER_LENGTH),
    timestamp: ofOtherSender ? '' : short(headers[TIMESTAMP_HEADER], HEADER_LENGTH),
    signature_start: ofOtherSender ? '' : short(headers[SIGNATURE_HEADER], SIGNATURE_SHOWN),
    bytes,
    body: text !== undefined && bytes <= MAX_KEPT_BYTES ? text : null,
  };
}

function short(value: string | string[] | undefined, length: number): string {
  return typeof value === 'string' ? value.slice(0, length) : '';
}
