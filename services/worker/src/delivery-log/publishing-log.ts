import type { Delivery } from '@sluice/contract/delivery';
import { type Activity, OLD_SECRET_REFUSED } from '@sluice/monitoring/activity';
import { bucketOf } from '@sluice/monitoring/histogram';
import type { DeliveryLog } from './delivery-log.ts';

export interface PublishingLogDeps {
  readonly log: DeliveryLog;
  readonly activity: Pick<Activity, 'add' | 'sawDelivery'>;
  /** Sends rows to the live views of the log. Never throws or rejects. */
  readonly publish: (rows: readonly Delivery[]) => void;
}

/**
 * Wraps the log, and counts and publishes rows after they are written. It doesn't wait for either, so the dashboard can
 * neither delay a group nor fail it. If a worker is killed in between, the retried job is counted twice.
 */
export function publishingLog({ log, activity, publish }: PublishingLogDeps): DeliveryLog {
  return {
    async insertDeliveries(rows) {
      await log.insertDeliveries(rows);
      countRows(activity, rows);
      publish(rows);
    },
    async replaceDelivery(row) {
      await log.replaceDelivery(row);
      publish([row]);
    },
  };
}

/**
 * Counts rows by status, code, lag and use of the previous secret. Dashboard actions and imports aren't requests, and
 * don't count.
 */
export function countRows(activity: PublishingLogDeps['activity'], rows: readonly Delivery[]): void {
  for (const row of rows) {
    const { account_id, source_id, received_at, http_status, code, count, applied_at, origin } = row;
    if (origin !== undefined && origin !== 'webhook') continue;
    activity.add(account_id, received_at, `s:${http_status}`, count);
    activity.add(source_id, received_at, `s:${http_status}`, count);
    activity.sawDelivery(source_id, received_at);
    if (code !== null) {
      activity.add(account_id, received_at, `c:${code}`, count);
      activity.add(source_id, received_at, `c:${code}`, count);
      if (row.signed_with === 'previous') activity.add(source_id, received_at, OLD_SECRET_REFUSED, count);
    } else if (applied_at !== undefined)
      activity.add(account_id, received_at, `lag:${bucketOf(applied_at - received_at)}`);
  }
}
