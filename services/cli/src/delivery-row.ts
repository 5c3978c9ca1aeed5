import type { ListedDelivery } from '@sluice/contract/delivery';
import { formatInstant } from '@sluice/contract/instant';
import type { Row } from './output.ts';

/** The row of a delivery for lists. */
export function deliveryRow(delivery: ListedDelivery): Row {
  return {
    delivery_id: delivery.delivery_id,
    received_at: formatInstant(delivery.received_at),
    action: delivery.action,
    http_status: delivery.http_status,
    title: delivery.title,
    outcome: delivery.outcome,
    code: delivery.code,
    request_id: delivery.request_id,
    duplicate_of: delivery.duplicate_of,
    count: delivery.count,
    reason: delivery.reason,
    sequence: delivery.sequence,
    event_id: delivery.event_id,
  };
}
