import { createFoldedRefusals } from '@sluice/admission/folded-refusals';
import { isUnexpected } from '@sluice/outbound/publish/is-unexpected';
import { createSweeper } from '@sluice/outbound/publish/sweeper';
import { pingRedis } from '@sluice/redis/connection/why-away';
import type { Keyspace } from '@sluice/redis/keyspace';
import { watchShardCount } from '@sluice/redis/shards/watch-shard-count';
import type { AdminServer } from '@sluice/runtime/http/admin-server';
import type { Service } from '@sluice/runtime/process/start-service';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import { prepareDatabase } from '@sluice/store/prepare-database';
import { checkShardCount } from './check-shard-count.ts';
import type { WorkerConfig } from './config.ts';
import { type Consuming, consume } from './consume.ts';
import { createWriteCounterRows } from './delivery-log/write-counter-rows.ts';
import { createObserver, type Observer } from './observe.ts';
import { type ActivityPublisher, createActivityPublisher } from './publish-activity.ts';
import { createMailsWanted } from './refusing/mails-wanted.ts';
import { createWatchRefusals, type WatchRefusals } from './refusing/watch-refusals.ts';
import { openResources, type Resources } from './resources.ts';
import { startBackgroundLoop } from './wait/background-loop.ts';
import { createWaitOut, StoppedWhileWaiting, type WaitOut } from './wait/wait-out.ts';

const COUNTER_ROWS_EVERY_MS = 2000;

/** The part of the grace period for closing connections, after the jobs have finished or were given back. */
const CLOSING_MS = 2000;
const SHORTEST_STOP_MS = 500;
/** The last counters of the dashboard are not worth the grace period when Redis is frozen. */
const LAST_ACTIVITY_MS = 500;

/** Starts a whole worker. It answers probes at once. It processes groups once MongoDB has the right version and its indexes. */
export async function startWorker(service: Service<WorkerConfig>): Promise<void> {
  const { config, logger, metrics, releasers, refuse, tracing } = service;
  const observer = createObserver({ metrics, logger, now: Date.now });
  const resources = openResources(service);
  const progress = { taking: false };
  const waitOut = createWaitOut({ logger, onWaiting: observer.waiting });
  const admin = await openAdmin({ service, resources, progress, waitOut });
  const publisher = createActivityPublisher({ resources, logger, trouble: admin.trouble });
  releasers.push('activity', () => publisher.stop(), { deadlineMs: LAST_ACTIVITY_MS });

  let consuming: Consuming | undefined;
  const loops: { stop(): Promise<void> }[] = [];
  const stopMs = Math.max(SHORTEST_STOP_MS, config.SHUTDOWN_GRACE_SECONDS * 1000 - CLOSING_MS);
  const stopConsuming = async () => {
    admin.setDraining();
    waitOut.stop();
    consuming?.stopWaiting();
    const [inTime] = await Promise.all([
      Promise.all((consuming?.consumers ?? []).map((consumer) => consumer.close(stopMs))),
      Promise.all(loops.map((loop) => loop.stop())),
    ]);
    if (inTime.includes(false))
      throw new Error('what was held could not be finished in time; another worker will');
  };
  releasers.push('consumers', stopConsuming, { deadlineMs: stopMs + CLOSING_MS / 2 });

  // Only to keep a normal start from being logged as an outage. If the first attempt fails, the next line waits.
  await resources.store.opened().catch(() => undefined);
  try {
    await waitOut.run(() => prepareDatabase({ store: resources.store, logger, refuse }));
  } catch (error) {
    if (error instanceof StoppedWhileWaiting) return;
    throw error;
  }
  await checkShardCount({ config, resources, refuse });
  const { SLUICE_NAMESPACE: namespace, QUEUE_SHARDS: count } = config;
  const shardCount = watchShardCount({ redis: resources.redis, namespace, count, refuse });
  releasers.push('shards', () => shardCount.stop());
  const watchRefusals = watchRefusalsOf(resources, logger);
  consuming = consume({ config, logger, resources, observer, waitOut, publisher, watchRefusals, tracing });
  for (const keyspace of resources.shards.all)
    loops.push(repeatCounterRows({ resources, keyspace, logger, publisher, observer, watchRefusals }));
  loops.push(publishLeftovers(resources, logger, observer));
  await Promise.all(consuming.consumers.map(({ ready }) => ready));
  progress.taking = true;
}

/** Publishes the changes that a process made and did not tell before it died. The API servers do the same. */
function publishLeftovers(
  { store, publisher }: Resources,
  logger: Logger,
  observer: Pick<Observer, 'lookedForPending'>,
) {
  const onChange = (error: unknown): void => {
    observer.lookedForPending(error);
    if (isUnexpected(error))
      logger.warn({ event: 'publish.failed', err: error }, 'changes not published yet; will retry');
  };
  return createSweeper({ ...store, publisher, now: Date.now, onChange });
}

function watchRefusalsOf(
  { store, publishing, publisher, redis, keyspace }: Resources,
  logger: Logger,
): WatchRefusals {
  const areMailsWanted = createMailsWanted({ redis, keyspace, now: Date.now });
  return createWatchRefusals({
    sourceRefusals: store.sourceRefusals,
    sources: store.sources,
    now: Date.now,
    isWanted: async (accountId, sourceId) =>
      (await areMailsWanted()) || (await publishing.outbound.wantsRefusals(accountId, sourceId)),
    tell: publisher.publishSoon,
    onError: (error) =>
      logger.warn({ event: 'rejections.unwatched', err: error }, 'rejections of a source not counted'),
  });
}

interface AdminDeps {
  readonly service: Service<WorkerConfig>;
  readonly resources: Resources;
  readonly progress: { readonly taking: boolean };
  readonly waitOut: Pick<WaitOut, 'waitsFor'>;
}

function openAdmin({ service, resources, progress, waitOut }: AdminDeps): Promise<AdminServer> {
  const { redis, store } = resources;
  return service.openAdmin({
    port: service.config.WORKER_ADMIN_PORT,
    variable: 'WORKER_ADMIN_PORT',
    checks: {
      redis: () => pingRedis(redis),
      mongodb: () => store.ping(),
      queues: () => {
        if (!progress.taking) throw new Error('not taking groups yet');
      },
    },
    knownChecks: {
      // A store may answer and take no writes: read-only, full or forbidden.
      writes: () => {
        const reason = waitOut.waitsFor();
        if (reason !== undefined) throw new Error(reason);
      },
    },
  });
}

interface CounterRowsDeps {
  readonly resources: Resources;
  readonly keyspace: Keyspace;
  readonly logger: Logger;
  readonly publisher: ActivityPublisher;
  readonly observer: Observer;
  readonly watchRefusals: Pick<WatchRefusals, 'counted'>;
}

function repeatCounterRows({ resources, keyspace, logger, publisher, observer, ...deps }: CounterRowsDeps) {
  const { redis, store } = resources;
  const { counted: onSettled } = publisher;
  const folded = createFoldedRefusals({ redis, keyspace, onSettled, onNewer: observer.newerCount });
  return startBackgroundLoop({
    run: createWriteCounterRows({
      folded,
      log: store.deliveries,
      onLogged: deps.watchRefusals.counted,
    }),
    everyMs: COUNTER_ROWS_EVERY_MS,
    onChange: (error) => {
      if (error === null) logger.info({ event: 'counter_rows.back' }, 'counter rows are written again');
      else
        logger.warn(
          { event: 'counter_rows.failed', err: error },
          'counter rows cannot be written; trying again',
        );
    },
  });
}
