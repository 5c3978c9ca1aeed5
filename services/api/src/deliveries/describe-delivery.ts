import type { DeliveryOrigin, ListedDelivery } from '@sluice/contract/delivery/delivery';
import { formatInstant } from '@sluice/contract/time/instant';
import type { DeliveryItem } from '@sluice/dashboard-api/deliveries';

/** Rows of webhook requests have no origin field. */
export function originOf({ origin }: Pick<ListedDelivery, 'origin'>): DeliveryOrigin {
  return origin ?? 'webhook';
}

/** A row of the delivery log as the dashboard receives it. */
export function describeDelivery(row: ListedDelivery): DeliveryItem {
  const { delivery_id, source_id, sequence, action, http_status, title, outcome, code, count } = row;
  const { request_id, event_id, duplicate_of, reason } = row;
  return {
    delivery_id,
    source_id,
    received_at: formatInstant(row.received_at),
    action,
    http_status,
    title,
    outcome,
    code,
    unapplied: row.unapplied ?? null,
    preset: row.mapped?.preset ?? null,
    mapping_version: row.mapped?.version ?? null,
    rule: row.mapped?.rule ?? null,
    // The clocks of two machines may differ by more than the latency.
    latency_ms: row.applied_at === undefined ? null : Math.max(0, row.applied_at - row.received_at),
    count,
    request_id,
    event_id,
    external_id: row.external_id ?? null,
    conversation_id: row.conversation_id ?? null,
    duplicate_of,
    reprocess_of: row.reprocess_of ?? null,
    origin: originOf(row),
    // What a mapping has omitted is no reason of an outcome, but all that there is to know.
    reason: reason ?? row.mapped?.note ?? null,
    bytes: row.request?.bytes || null,
    sequence,
  };
}
