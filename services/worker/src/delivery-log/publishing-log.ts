import { type Activity, OLD_SECRET_REFUSED } from '@sluice/activity/activity';
import { bucketOf } from '@sluice/activity/histogram';
import type { Delivery } from '@sluice/contract/delivery';
import type { DeliveryLog } from './delivery-log.ts';

export interface PublishingLogDeps {
  readonly log: DeliveryLog;
  readonly activity: Pick<Activity, 'add' | 'sawDelivery'>;
  /** Tells whoever watches the log; never throws or rejects. */
  readonly publish: (rows: readonly Delivery[]) => void;
}

/**
 * The log, which counts and tells of the rows once they stand: after the write and without waiting, so that what the
 * dashboard shows costs a group nothing and can fail it never. A job that is run again because its worker was killed in
 * between is counted twice.
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

/** Counts rows by status, code, lag and use of the secret before the last rotation. What was done in the dashboard is no request. */
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
