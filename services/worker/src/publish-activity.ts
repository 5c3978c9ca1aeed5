import { createActivity } from '@sluice/activity/activity';
import { publishDeliveries } from '@sluice/activity/live-deliveries';
import { startHeartbeat } from '@sluice/activity/replicas';
import type { FoldedCount } from '@sluice/admission/folded-refusals';
import type { Delivery } from '@sluice/contract/delivery';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { DeliveryLog } from './delivery-log/delivery-log.ts';
import { countRows, publishingLog } from './delivery-log/publishing-log.ts';
import { rowOfCount } from './delivery-log/write-counter-rows.ts';
import type { Resources } from './resources.ts';

/** What the dashboard shows of the workers' doing: counters, rows as they are written, and that they are there. */
export interface ActivityPublisher {
  listening(log: DeliveryLog): DeliveryLog;
  /** Refusals that were counted in the admission and now stand in the log. */
  counted(counts: readonly FoldedCount[]): void;
  stop(): Promise<void>;
}

export interface ActivityPublisherDeps {
  readonly resources: Pick<Resources, 'redis' | 'keyspace'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Why it takes no groups just now; null: it does. */
  readonly trouble: () => string | null;
}

/**
 * With the one Redis away that has the live views, workers go on with the others: rows that nobody can be told of must
 * not gather here. They stand in the log, and whoever watches is told later how many they were.
 */
const PUBLISHING_AT_MOST = 4;

export function createActivityPublisher({
  resources: { redis, keyspace },
  logger,
  trouble,
}: ActivityPublisherDeps): ActivityPublisher {
  const onError = (error: unknown) => logger.warn({ event: 'tell.failed', err: error }, 'dashboard not told');
  const activity = createActivity({ redis, keyspace, onError });
  const heartbeat = startHeartbeat({ redis, keyspace, kind: 'worker', trouble });
  let publishing = 0;
  let untold = new Map<string, number>();
  const publish = (rows: readonly Delivery[]): void => {
    if (publishing === PUBLISHING_AT_MOST) {
      for (const { account_id } of rows) untold.set(account_id, (untold.get(account_id) ?? 0) + 1);
      return;
    }
    publishing += 1;
    const others = untold;
    untold = new Map();
    void publishDeliveries({ redis, keyspace }, rows, others)
      .catch(onError)
      .finally(() => {
        publishing -= 1;
        if (untold.size > 0) publish([]);
      });
  };
  return {
    listening: (log) => publishingLog({ log, activity, publish }),
    counted: (counts) => countRows(activity, counts.map(rowOfCount)),
    async stop() {
      // With Redis away these would wait for it; what is not told then is not told.
      if (redis.status === 'ready') await Promise.all([activity.close(), heartbeat.stop()]);
    },
  };
}
