import { createFoldedRefusals } from '@sluice/admission/folded-refusals';
import { type AdminServer, startAdminServer } from '@sluice/runtime/http/admin-server';
import { refuseToStart } from '@sluice/runtime/process/refuse-to-start';
import type { Releasers } from '@sluice/runtime/process/releasers';
import { observeClock } from '@sluice/runtime/telemetry/clock-offset';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import { createMetrics, type Metrics } from '@sluice/runtime/telemetry/metrics';
import { startTracing } from '@sluice/runtime/telemetry/tracing/start-tracing';
import type { Keyspace } from '@sluice/shards/keyspace';
import type { Store } from '@sluice/store/connect';
import { type SchemaFit, whyTooNew } from '@sluice/store/schema-version';
import type { WorkerConfig } from './config.ts';
import { type Consuming, consume } from './consume.ts';
import { createWriteCounterRows } from './delivery-log/write-counter-rows.ts';
import { createObserver, type Observer } from './observe.ts';
import { type ActivityPublisher, createActivityPublisher } from './publish-activity.ts';
import { openResources, type Resources } from './resources.ts';
import { expectShardsAgree } from './shards-agree.ts';
import { repeat } from './wait/repeat.ts';
import { createWaitOut, StoppedWhileWaiting } from './wait/wait-out.ts';

export interface WorkerDeps {
  readonly config: WorkerConfig;
  readonly logger: Logger;
  /** Receives a release function for everything that is started. */
  readonly releasers: Releasers;
}

const COUNTER_ROWS_EVERY_MS = 2000;

/** Part of the grace period that is reserved for closing connections after the jobs. */
const CLOSING_MS = 2000;
const SHORTEST_STOP_MS = 500;
/** Limit on publishing the last activity. A frozen Redis doesn't respond, and activity isn't worth the grace period. */
const LAST_ACTIVITY_MS = 500;

/** Starts a worker. It responds to probes immediately, and takes groups once MongoDB is migrated and has its indexes. */
export async function startWorker({ config, logger, releasers }: WorkerDeps): Promise<void> {
  const metrics = createMetrics({ service: 'worker' });
  const tracing = await startTracing({ service: 'worker', config, logger });
  releasers.push('traces', () => tracing?.stop());
  const observer = createObserver({ metrics, logger, now: Date.now });
  const resources = openResources({ config, logger, releasers });
  observeClock({ metrics, redis: resources.redis });
  const progress = { taking: false };
  const trouble = () => (progress.taking ? null : 'not taking groups yet');
  const publisher = createActivityPublisher({ resources, logger, trouble });
  releasers.push('activity', () => publisher.stop(), { deadlineMs: LAST_ACTIVITY_MS });
  const admin = await openAdmin({ config, logger, metrics, resources, progress });
  releasers.push('admin server', () => admin.close());

  const waitOut = createWaitOut({ logger, onWaiting: observer.waiting });
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
      throw new Error('some groups could not be finished in time; another worker will finish them');
  };
  releasers.push('consumers', stopConsuming, { deadlineMs: stopMs + CLOSING_MS / 2 });

  // Waits for the first attempt, so that a normal start isn't logged as an outage. After a failure, `waitOut` retries.
  await resources.store.opened().catch(() => undefined);
  try {
    const fit = await waitOut.run(() => prepareDatabase(resources.store, logger));
    if (fit.status === 'too_new')
      await refuseToStart({ logger, releasers }, { event: 'schema.too_new', ...fit }, whyTooNew(fit));
  } catch (error) {
    if (error instanceof StoppedWhileWaiting) return;
    throw error;
  }
  await expectShardsAgree({ config, logger, releasers, resources });
  consuming = consume({ config, logger, resources, observer, waitOut, publisher, tracing });
  for (const keyspace of resources.shards.all)
    loops.push(repeatCounterRows({ resources, keyspace, logger, publisher, observer }));
  await Promise.all(consuming.consumers.map(({ ready }) => ready));
  progress.taking = true;
}

/** Migrates the database. Creates indexes only if this version can read the database. */
async function prepareDatabase(store: Store, logger: Logger): Promise<SchemaFit> {
  const fit = await store.migrate({
    onMigration: (migration) =>
      logger.info({ event: 'schema.migrating', ...migration }, 'migrating the database'),
  });
  if (fit.status !== 'too_new') await store.ensureIndexes({ fit });
  return fit;
}

interface AdminDeps extends Omit<WorkerDeps, 'releasers'> {
  readonly metrics: Metrics;
  readonly resources: Resources;
  readonly progress: { readonly taking: boolean };
}

function openAdmin({ config, logger, metrics, resources, progress }: AdminDeps): Promise<AdminServer> {
  const { redis, store } = resources;
  return startAdminServer({
    port: config.WORKER_ADMIN_PORT,
    host: config.HOST,
    variable: 'WORKER_ADMIN_PORT',
    checks: {
      redis: () => redis.ping(),
      mongodb: () => store.ping(),
      queues: () => {
        if (!progress.taking) throw new Error('not taking groups yet');
      },
    },
    metrics,
    logger,
  });
}

interface CounterRowsDeps {
  readonly resources: Resources;
  readonly keyspace: Keyspace;
  readonly logger: Logger;
  readonly publisher: ActivityPublisher;
  readonly observer: Observer;
}

function repeatCounterRows({ resources, keyspace, logger, publisher, observer }: CounterRowsDeps) {
  const { redis, store } = resources;
  const { counted: onSettled } = publisher;
  const folded = createFoldedRefusals({ redis, keyspace, onSettled, onNewer: observer.newerCount });
  return repeat({
    run: createWriteCounterRows({ folded, log: store.deliveries }),
    everyMs: COUNTER_ROWS_EVERY_MS,
    onChange: (error) => {
      if (error === null) logger.info({ event: 'counter_rows.back' }, 'counter rows are written again');
      else logger.warn({ event: 'counter_rows.failed', err: error }, 'writing counter rows failed; retrying');
    },
  });
}
