import type { FoldedCount } from '@sluice/admission/folded-refusals';
import type { Delivery } from '@sluice/contract/delivery';
import { createActivity } from '@sluice/monitoring/activity';
import { publishDeliveries } from '@sluice/monitoring/live-deliveries';
import { type HeartbeatDeps, startHeartbeat } from '@sluice/monitoring/replicas';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { DeliveryLog } from './delivery-log/delivery-log.ts';
import { countRows, publishingLog } from './delivery-log/publishing-log.ts';
import { rowOfCount } from './delivery-log/write-counter-rows.ts';
import type { Resources } from './resources.ts';

/** Publishes the workers' activity to the dashboard: counters, new rows, and a heartbeat. */
export interface ActivityPublisher {
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

/**
 * Limit on concurrent publications. If the Redis with the live views is unavailable, workers continue with the other
 * shards. Unpublished rows must not pile up in memory. They are in the log, and viewers get their number later.
 */
const PUBLISHING_AT_MOST = 4;

/** The pause before viewers get the number of rows whose publication failed, unless further rows come earlier. */
const RETRY_MS = 1000;

export function createActivityPublisher({
  resources: { redis, keyspace },
  logger,
  trouble,
}: ActivityPublisherDeps): ActivityPublisher {
  const onError = (error: unknown) =>
    logger.warn({ event: 'tell.failed', err: error }, 'activity could not be published to the dashboard');
  const activity = createActivity({ redis, keyspace, onError });
  const heartbeat = startHeartbeat({ redis, keyspace, kind: 'worker', trouble });
  let publishing = 0;
  let unpublished = new Map<string, number>();
  let retry: NodeJS.Timeout | undefined;
  const count = (accountId: string, more: number) =>
    unpublished.set(accountId, (unpublished.get(accountId) ?? 0) + more);
  const publish = (rows: readonly Delivery[]): void => {
    if (publishing === PUBLISHING_AT_MOST) {
      for (const { account_id } of rows) count(account_id, 1);
      return;
    }
    publishing += 1;
    const others = unpublished;
    unpublished = new Map();
    const onFailure = (error: unknown) => {
      // A retry without rows follows a failure that is already in the log.
      if (rows.length > 0) onError(error);
      for (const { account_id } of rows) count(account_id, 1);
      for (const [accountId, more] of others) count(accountId, more);
      retry ??= setTimeout(() => {
        retry = undefined;
        publish([]);
      }, RETRY_MS);
    };
    void publishDeliveries({ redis, keyspace }, rows, others)
      .catch(onFailure)
      .finally(() => {
        publishing -= 1;
        if (unpublished.size > 0 && retry === undefined) publish([]);
      });
  };
  return {
    listening: (log) => publishingLog({ log, activity, publish }),
    counted: (counts) => countRows(activity, counts.map(rowOfCount)),
    async stop() {
      clearTimeout(retry);
      // Without Redis these would block; unpublished activity is dropped.
      if (redis.status === 'ready') await Promise.all([activity.close(), heartbeat.stop()]);
    },
  };
}
