import type { FoldedCount } from '@sluice/admission/folded-refusals';
import type { Delivery } from '@sluice/contract/delivery/delivery';
import { type Activity, createActivity, OLD_SECRET_REFUSED } from '@sluice/monitoring/activity';
import { bucketOf } from '@sluice/monitoring/histogram';
import { type HeartbeatDeps, startHeartbeat } from '@sluice/monitoring/replicas';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import { rowOfCount } from './delivery-log/write-counter-rows.ts';
import type { DeliveryLog } from './ports.ts';
import type { Resources } from './resources.ts';

/** Publishes the workers' activity to the dashboard: counters and a heartbeat. */
export interface ActivityPublisher {
  /** Counts the rows of a log (see countingLog). */
  listening(log: DeliveryLog): DeliveryLog;
  /** Publishes refusals that admission counted and that are now in the log. */
  counted(counts: readonly FoldedCount[]): void;
  stop(): Promise<void>;
}

export interface ActivityPublisherDeps {
  readonly resources: Pick<Resources, 'redis' | 'keyspace'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Why the worker applies no groups at the moment; null if it does. */
  readonly trouble: HeartbeatDeps['trouble'];
}

export function createActivityPublisher({
  resources: { redis, keyspace },
  logger,
  trouble,
}: ActivityPublisherDeps): ActivityPublisher {
  const onError = (error: unknown) =>
    logger.warn({ event: 'tell.failed', err: error }, 'activity could not be published to the dashboard');
  const activity = createActivity({ redis, keyspace, onError });
  const heartbeat = startHeartbeat({ redis, keyspace, kind: 'worker', trouble });
  return {
    listening: (log) => countingLog(log, activity),
    counted: (counts) => countRows(activity, counts.map(rowOfCount)),
    async stop() {
      // Without Redis these would block; unpublished activity is dropped.
      if (redis.status === 'ready') await Promise.all([activity.close(), heartbeat.stop()]);
    },
  };
}

type Counters = Pick<Activity, 'add' | 'sawDelivery'>;

/**
 * Wraps the log, and counts rows after they are written. It doesn't wait for Redis, so the dashboard can neither delay a
 * group nor fail it. If a worker is killed in between, the retried job is counted twice.
 */
export function countingLog(log: DeliveryLog, activity: Counters): DeliveryLog {
  return {
    async insertDeliveries(rows) {
      await log.insertDeliveries(rows);
      countRows(activity, rows);
    },
    replaceDelivery: (row) => log.replaceDelivery(row),
  };
}

/**
 * Counts rows by status, code, lag and use of the previous secret. Dashboard actions and imports aren't requests, and
 * don't count.
 */
function countRows(activity: Counters, rows: readonly Delivery[]): void {
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
