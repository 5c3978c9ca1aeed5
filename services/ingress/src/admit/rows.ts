import { bodyStorageOf } from '@sluice/contract/body-storage';
import { admittedDeliveryId, otherDeliveryId } from '@sluice/contract/delivery-id';
import type { AskedAction, RefusedRequest } from '@sluice/contract/groups';
import type { ProblemCode } from '@sluice/contract/problem';
import { type Refusal, reasonOf } from '../answer/refusal.ts';
import type { Candidate } from './candidate.ts';

/** What a row costs in a group's job besides the body of its request. */
export const ROW_BYTES = 300;

/** A request that asks to be admitted, as the worker gets it if it is. */
export function askedAction({
  requestId,
  receivedAt,
  source,
  verified,
  request,
  trace,
}: Candidate): AskedAction {
  if (verified.outcome !== 'action') throw new Error(`${requestId} asks to be admitted without an action`);
  const { source_id, account_id } = source.record;
  return {
    request_id: requestId,
    source_id,
    account_id,
    received_at: receivedAt,
    // undefined is left out of a job's JSON, and the reader finds the action in the body (contract: EnqueuedAction).
    action: typeof request?.body === 'string' ? undefined : verified.action,
    request,
    signed_with: verified.signedWith,
    request_for: bodyStorageOf(source.record) === 'failures' ? 'failures' : undefined,
    // Left out likewise where the request is not traced.
    traceparent: trace?.enqueuedAs(),
  };
}

/** The id of an accepted request's row in the delivery log. */
export function acceptedId({ requestId, source }: Candidate, sequence: number, duplicate: boolean): string {
  return duplicate ? otherDeliveryId(requestId) : admittedDeliveryId(source.record.source_id, sequence);
}

/** Refusals that tell the sender to try again: a flood of them must not fill the log with bodies. */
const SENT_AGAIN: ReadonlySet<ProblemCode> = new Set(['rate_limited', 'unavailable']);

/** A refused request as the worker gets it. */
export function refusedRequest(candidate: Candidate, refusal: Refusal): RefusedRequest {
  const { requestId, receivedAt, source, verified } = candidate;
  const { source_id, account_id } = source.record;
  return {
    delivery_id: otherDeliveryId(requestId),
    request_id: requestId,
    source_id,
    account_id,
    received_at: receivedAt,
    action: verified.outcome === 'action' ? verified.action.kind : verified.action,
    title: verified.outcome === 'action' ? verified.action.identity.title : verified.title,
    code: refusal.code,
    reason: reasonOf(refusal),
    ...(verified.signedWith !== undefined && { signed_with: verified.signedWith }),
    ...(candidate.request !== undefined && !SENT_AGAIN.has(refusal.code) && { request: candidate.request }),
  };
}

/** What a refused request adds to its group's job. */
export function bytesOfRefusal({ request }: RefusedRequest): number {
  return ROW_BYTES + (request?.body?.length ?? 0);
}
