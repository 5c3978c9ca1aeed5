import { madeByNoRequest, readKeptAction, wasVerified } from '@sluice/accounts/deliveries/kept-action';
import { overlapEnd } from '@sluice/accounts/secrets/rotate-secret';
import { isFailure } from '@sluice/contract/delivery/body-storage';
import type { Delivery } from '@sluice/contract/delivery/delivery';
import { answeredProblem, PROBLEM_CONTENT_TYPE } from '@sluice/contract/problem/problem';
import { DAY_MS } from '@sluice/contract/time/durations';
import { formatInstant } from '@sluice/contract/time/instant';
import type { DeliveryDetail } from '@sluice/dashboard-api/deliveries';
import { channelEndpointUrl, endpointUrl } from '@sluice/runtime/http/endpoint-url';
import { knownMapperOf } from '@sluice/signature/mapping/mapper';
import { isChannel } from '@sluice/store/sources/is-channel';
import type { Source } from '@sluice/store/sources/source';
import { describeDelivery } from './describe-delivery.ts';
import { explain, type Why } from './why.ts';

export interface DetailInput {
  readonly row: Delivery;
  readonly source: Source;
  readonly reprocessedAs: readonly string[];
  /** The previous delivery of the same event; null: none. */
  readonly previous: string | null;
  /** Why the delivery changed nothing; null if it did. */
  readonly unchanged: Why | null;
  readonly eventsUrl: string;
  readonly retentionDays: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** Everything that is known about one delivery. */
export function describeDetail({
  row,
  source,
  reprocessedAs,
  previous,
  unchanged,
  eventsUrl,
  retentionDays,
  now,
}: DetailInput): DeliveryDetail {
  const kept = readKeptAction(row, knownMapperOf(source.sender));
  const urlOf = isChannel(source) ? channelEndpointUrl : endpointUrl;
  return {
    delivery: describeDelivery(row),
    request: describeRequest(row, urlOf(eventsUrl, source.source_id)),
    body_absent: bodyAbsent(row, source),
    answer: describeAnswer(row),
    timeline: timeline(row),
    why: explain(row, { overlapUntil: overlapOf(row, source, now), now }, source.sender) ?? unchanged,
    previous,
    reprocessed_as: [...reprocessedAs],
    not_reprocessable: kept.status === 'action' ? null : kept.why,
    leaves_at: formatInstant(row.received_at + retentionDays * DAY_MS),
  };
}

/** When the secret that signed the request stops being accepted; null if a later rotation already ended that. */
function overlapOf(row: Delivery, source: Source, now: number): number | null {
  return row.received_at >= (source.secret_rotated_at ?? 0) ? overlapEnd(source, now) : null;
}

function describeRequest({ request }: Delivery, url: string): DeliveryDetail['request'] {
  if (request === undefined)
    return { method: 'POST', url, headers: {}, body: null, bytes: null, address: null };
  const headers = {
    'Content-Type': request.content_type,
    'User-Agent': request.user_agent,
    'X-Service-Timestamp': request.timestamp,
    'X-Service-Signature': `${request.signature_start}…`,
  };
  const sent = Object.fromEntries(
    Object.entries(headers).filter(([, value]) => value !== '' && value !== '…'),
  );
  return {
    method: 'POST',
    url,
    headers: sent,
    body: request.body,
    bytes: request.bytes || null,
    address: request.address ?? null,
  };
}

const KEPT_BYTES = 64 * 1024;

function bodyAbsent(row: Delivery, source: Source): DeliveryDetail['body_absent'] {
  const { request } = row;
  if (typeof request?.body === 'string') return null;
  if (madeByNoRequest(row)) return 'no_request';
  if (row.count > 1) return 'counted';
  if (!wasVerified(row)) return 'not_signed';
  if (request === undefined) {
    if (source.body_storage === 'none') return 'switched_off';
    return source.body_storage === 'failures' && !isFailure(row.outcome) ? 'failures_only' : 'not_kept';
  }
  if (request.bytes > KEPT_BYTES) return 'too_large';
  if (row.code === 'rate_limited' || row.code === 'unavailable') return 'sent_again';
  if (source.body_storage === 'none') return 'switched_off';
  return row.outcome === 'ignored' && source.body_storage === 'failures' ? 'failures_only' : 'not_text';
}

/** Rebuilds the response to the sender from the row. */
function describeAnswer(row: Delivery): DeliveryDetail['answer'] {
  if (row.code === null) {
    const body = {
      ok: true,
      status: 'ok',
      delivery_id: row.delivery_id,
      ...(row.duplicate_of !== null && { duplicate: true }),
      ...(row.outcome === 'ignored' && { ignored: true }),
      ...(row.unapplied === 'mapping_failed' && { note: row.reason }),
    };
    return { status: row.http_status, content_type: 'application/json', body: JSON.stringify(body) };
  }
  const { code, http_status: status, reason, request_id } = row;
  const body = answeredProblem({ code, status, detail: reason ?? '', requestId: request_id ?? '' });
  return { status, content_type: PROBLEM_CONTENT_TYPE, body: JSON.stringify(body) };
}

function timeline({
  received_at,
  sequence,
  outcome,
  applied_at,
  duplicate_of,
  unapplied,
}: Delivery): DeliveryDetail['timeline'] {
  const received = { step: 'received', at: formatInstant(received_at) } as const;
  if (outcome === 'rejected') return [received, { step: 'refused', at: formatInstant(received_at) }];
  // A sequence number is Redis's time in microseconds. A duplicate has the sequence number of the first request.
  const admittedAt = sequence === null || duplicate_of !== null ? undefined : Math.floor(sequence / 1000);
  // A request that was not admitted changed nothing, so nothing follows.
  if (unapplied !== undefined) return [received];
  const last = outcome === 'failed' ? 'failed' : 'applied';
  return [
    received,
    ...(admittedAt === undefined ? [] : [{ step: 'admitted', at: formatInstant(admittedAt) } as const]),
    ...(applied_at === undefined ? [] : [{ step: last, at: formatInstant(applied_at) } as const]),
  ];
}
