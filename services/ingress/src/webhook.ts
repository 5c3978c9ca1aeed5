import type { KeptRequest } from '@sluice/contract/delivery/delivery';
import { otherDeliveryId } from '@sluice/contract/delivery/delivery-id';
import type { SourceKind } from '@sluice/contract/delivery/source-kind';
import type { ProxyWatch } from '@sluice/runtime/http/proxy-watch';
import { type DefaultRate, rateOf } from './admit/admit-group.ts';
import type { Decision } from './admit/decide.ts';
import { acceptedId, type Candidate, keepRequest, ROW_BYTES, refusedRequest } from './admit/rows.ts';
import { REFUSALS, type Refusal, type Unapplied } from './answer/refusal.ts';
import type { Reply } from './answer/reply.ts';
import type { Gate } from './gate/gate.ts';
import { unavailable } from './gate/unavailable.ts';
import type { Lane } from './lanes/lane.ts';
import type { BodyRoom } from './receive/body-room.ts';
import type { OtherType } from './receive/incoming.ts';
import { type Arrived, type Readable, receive, type WaitingBodies } from './receive/receive.ts';
import type { Results } from './results/results.ts';
import { beginWait, type ResultWait } from './results/wait-for-result.ts';
import type { RequestTrace } from './trace/request-trace.ts';
import type { ExplainSignature } from './verify/explain-signature.ts';
import type { FoundSource, SourceFinder } from './verify/find-source.ts';
import type { KnownSource } from './verify/known-source.ts';
import { unverified, type Verified } from './verify/verified.ts';
import { signatureHeaders, verifyRequest } from './verify/verify-request.ts';

/** One request to the endpoint of one source. */
export interface WebhookRequest {
  readonly sourceId: string;
  /** The kind of source whose endpoint got the request. A source of the other kind is not found there. */
  readonly kind: SourceKind;
  readonly requestId: string;
  /** The client address for limits. It is computed only for requests that are limited by it. */
  readonly address: () => string;
  readonly http: Readable;
  readonly trace?: RequestTrace | undefined;
}

export interface WebhookDeps {
  readonly gate: Pick<Gate, 'closed'>;
  readonly sources: SourceFinder;
  readonly explainSignature: ExplainSignature;
  /** Decides, and enqueues what is admitted. */
  readonly admissions: Lane['admissions'];
  /** Enqueues the log row of a rejected request. */
  readonly refusals: Lane['refusals'];
  /** The results of requests whose senders wait for them. */
  readonly results: Pick<Results, 'expect'>;
  readonly defaultRate: DefaultRate;
  readonly proxyWatch: Pick<ProxyWatch, 'saw'>;
  readonly bodies: BodyRoom;
  readonly waitingBodies: WaitingBodies;
}

/** The maximum time from a complete body to its response. Guarantee 6 (docs/guarantees.md) asks for 1.5 s. Milliseconds. */
export const ANSWER_WITHIN_MS = 1200;

/** Handles one request. It resolves to null if the sender has gone. */
export type Webhook = (request: WebhookRequest) => Promise<Reply | null>;

/** The path of a request: receive, verify, admit and enqueue, respond. */
export function createWebhook(deps: WebhookDeps): Webhook {
  return (request) => handleWebhook(deps, request);
}

async function handleWebhook(deps: WebhookDeps, request: WebhookRequest): Promise<Reply | null> {
  // A sender that keeps its body needs no 100 for a certain 503.
  const closedBefore = request.http.awaitsContinue?.() ? deps.gate.closed() : null;
  if (closedBefore !== null) return unavailable(closedBefore);
  const received = await receive(request.http, deps.bodies);
  if (received.outcome === 'aborted') return null;
  const closed = deps.gate.closed();
  if (closed !== null) return unavailable(closed);
  if (received.outcome === 'crowded_out') return unavailable('bodies_coming_in');
  const bytes = bodyBytes(received);
  if (!deps.waitingBodies.enter(bytes)) return unavailable('bodies_waiting');
  let wait: ResultWait | undefined;
  let reply: Reply | undefined;
  try {
    reply = await decide(deps, request, received, () => {
      // Nearly no sender waits for its result.
      if (request.http.headers.prefer !== undefined) wait ??= beginWait(deps, request, bytes);
      return wait?.resultsTo;
    });
  } finally {
    deps.waitingBodies.leave(bytes);
    if (reply?.kind !== 'accepted') wait?.cancel();
  }
  if (reply.kind !== 'accepted') return reply;
  return wait === undefined ? reply : wait.result(reply);
}

/** `waitFor` begins the wait for the result, and is called for a verified action alone: others must not fill the places. */
async function decide(
  deps: WebhookDeps,
  request: WebhookRequest,
  received: Arrived,
  waitFor: () => string | undefined,
): Promise<Reply> {
  const receivedAt = Date.now();
  const deadline = performance.now() + ANSWER_WITHIN_MS;
  while (performance.now() < deadline) {
    const verifying = request.trace?.step('verify');
    const found = cachedSource(deps, request) ?? (await deps.sources.find(request.sourceId, deadline));
    const verified = isAt(request, found) ? verify(request, received, found.source) : undefined;
    verifying?.end();
    if (found.outcome === 'unavailable') return unavailable('source_lookup');
    if (found.outcome === 'not_found' || verified === undefined) return refusedWithoutOwner(received);

    const { source } = found;
    const kept = keptOf(request.http, received, source, verified);
    const bytes = ROW_BYTES + bodyBytes(received);
    const { requestId, trace } = request;
    const candidate: Candidate = {
      requestId,
      receivedAt,
      source,
      verified,
      bytes,
      request: kept,
      resultsTo: verified.outcome === 'action' ? waitFor() : undefined,
      trace,
    };
    const admission = await deps.admissions.submit(candidate, deadline);
    const decision = explained(deps, request, received, source, admission);
    switch (decision.kind) {
      case 'accept':
        deps.proxyWatch.saw(request.http.headers);
        return accepted(deps, candidate, decision);
      case 'refuse': {
        const unlogged =
          decision.logged && (await log(deps, request, received, candidate, decision.refusal, deadline));
        return unlogged || refused(deps, source, decision);
      }
      case 'unapplied': {
        const { unapplied, logged, rate: state } = decision;
        const unlogged = logged
          ? await log(deps, request, received, candidate, unapplied, deadline)
          : undefined;
        if (unlogged !== undefined) return unlogged;
        const rate = { state, ...rateOf(source.record, deps.defaultRate) };
        return { kind: 'unapplied', deliveryId: otherDeliveryId(requestId), unapplied, rate };
      }
      case 'unavailable':
        return notStored(deps);
      case 'verify_again':
        deps.sources.forget(source);
    }
  }
  return notStored(deps);
}

/** Enqueues the row of a request that is only logged. Returns the response if that is not possible. */
async function log(
  deps: WebhookDeps,
  { http, address }: WebhookRequest,
  received: Arrived,
  candidate: Candidate,
  why: Refusal | Unapplied,
  deadline: number,
): Promise<Reply | undefined> {
  const parts = { http, bytes: bodyBytes(received), address: address() };
  const row = await deps.refusals.submit(refusedRequest(candidate, why, parts), deadline);
  if (row === 'full') return unavailable('refusals_backlog');
  return row === 'unavailable' ? notStored(deps) : undefined;
}

/** Adds the likely slip to the rejection of a wrong signature. Rejections without a row are only counted. */
function explained(
  { explainSignature }: WebhookDeps,
  { http }: WebhookRequest,
  received: Arrived,
  source: KnownSource,
  decision: Decision,
): Decision {
  if (decision.kind !== 'refuse' || !decision.logged || received.outcome !== 'body') return decision;
  const refusal = explainSignature({
    source,
    refusal: decision.refusal,
    bytes: received.bytes,
    headers: signatureHeaders(http),
    values: http.headers,
  });
  return { ...decision, refusal };
}

/** Returns whether the source was found and belongs to the endpoint. */
function isAt({ kind }: WebhookRequest, found: FoundSource): found is FoundSource & { outcome: 'found' } {
  return found.outcome === 'found' && (found.source.record.kind === 'channel') === (kind === 'channel');
}

/** In most cases the gate has closed while the request waited, and names the reason. */
const notStored = ({ gate }: WebhookDeps): Reply => unavailable(gate.closed() ?? 'not_stored');

function bodyBytes(received: Arrived): number {
  return received.outcome === 'body' ? received.bytes.length : 0;
}

/** Nearly every source is cached. This saves its requests a turn of the event loop. */
function cachedSource(
  { sources }: WebhookDeps,
  { sourceId }: WebhookRequest,
): Extract<FoundSource, { outcome: 'found' }> | undefined {
  const source = sources.cached(sourceId);
  return source && { outcome: 'found', source };
}

/** The stored request. Only a request with a valid signature is stored, and only if the source stores bodies. */
function keptOf(
  http: Readable,
  received: Arrived,
  { bodyStorage, sender }: KnownSource,
  { ticket, text }: Verified,
): KeptRequest | undefined {
  const signed = ticket.kind === 'action' || ticket.kind === 'refused';
  if (!signed || received.outcome !== 'body' || bodyStorage === 'none') return undefined;
  return keepRequest(http, received.bytes.length, text, sender !== undefined);
}

function verify(
  { http, requestId, address }: WebhookRequest,
  received: Arrived,
  source: KnownSource,
): Verified {
  if (received.outcome === 'refused') return unverified(received.refusal);
  if (received.type !== undefined && !mayBe(received.type, source))
    return unverified(REFUSALS.unsupported_media_type);
  return verifyRequest({ source, bytes: received.bytes, requestId, http, address, nowMs: Date.now() });
}

/** Whether the sender of the source may send this in place of `application/json`. */
function mayBe(type: OtherType, { sender }: KnownSource): boolean {
  if (sender === undefined) return false;
  return type === 'json' || sender.mapper?.mapping.form !== undefined;
}

function accepted(
  { defaultRate }: WebhookDeps,
  candidate: Candidate,
  { sequence, duplicate, rate: state }: Extract<Decision, { kind: 'accept' }>,
): Reply {
  const { perSecond, burst } = rateOf(candidate.source.record, defaultRate);
  const deliveryId = acceptedId(candidate, sequence, duplicate);
  const rate = { state, perSecond, burst };
  const fields = unreadOf(candidate.verified);
  if (fields === undefined) return { kind: 'accepted', deliveryId, duplicate, rate };
  const hasIds = candidate.source.record.external_ids === true;
  return { kind: 'accepted', deliveryId, duplicate, rate, unread: { fields, hasIds } };
}

const unreadOf = (verified: Verified) => (verified.outcome === 'action' ? verified.unread : undefined);

function refused(
  { defaultRate }: WebhookDeps,
  { record }: KnownSource,
  { refusal, rate: state }: Extract<Decision, { kind: 'refuse' }>,
): Reply {
  if (state === null) return { kind: 'refused', refusal };
  const { perSecond, burst } = rateOf(record, defaultRate);
  return { kind: 'refused', refusal, rate: { state, perSecond, burst } };
}

/** A request to an unknown source belongs to no account, so no log has it. */
function refusedWithoutOwner(received: Arrived): Reply {
  if (received.outcome === 'refused') return { kind: 'refused', refusal: received.refusal };
  const { source_not_found, unsupported_media_type } = REFUSALS;
  return {
    kind: 'refused',
    refusal: received.type === undefined ? source_not_found : unsupported_media_type,
  };
}
