import { setTimeout as sleep } from 'node:timers/promises';
import { type KeyWatch, watchKey } from '@sluice/accounts/keys/watch-key';
import { startHeartbeat } from '@sluice/monitoring/replicas';
import { pingRedis } from '@sluice/redis/connection/why-away';
import { watchShardCount } from '@sluice/redis/shards/watch-shard-count';
import type { AdminServer } from '@sluice/runtime/http/admin-server';
import type { Service } from '@sluice/runtime/process/start-service';
import { repeat } from '@sluice/runtime/timing/repeat';
import { versionOfSluice } from '@sluice/runtime/version';
import { prepareDatabase } from '@sluice/store/prepare-database';
import { untilPrepared } from '@sluice/store/until-prepared';
import { createDeliver } from './attempt/deliver.ts';
import { createOriginSlots } from './attempt/origin-slots.ts';
import { createReadText } from './attempt/read-text.ts';
import { createSealedLog, createSigningKeys } from './attempt/secrets.ts';
import { traceAttempts } from './attempt/trace-attempts.ts';
import type { DispatcherConfig } from './config.ts';
import { type AttemptLog, createAttemptLog } from './log/attempt-log.ts';
import { type Observed, observe, registerInUse } from './observe.ts';
import { createReceiverHealth } from './receiver-health.ts';
import { registerReceiverMetrics } from './receiver-metrics.ts';
import { CONNECTIONS_PER_ORIGIN, openResources, type Resources } from './resources.ts';
import { troubleOf } from './trouble.ts';
import { createGather, GATHER_MS, MANY_TURNS } from './turns/gather.ts';
import { createTextBudget, type TextBudget } from './turns/memory.ts';
import { createRunTurn } from './turns/run-turn.ts';
import { type TakingTurns, takeTurns } from './turns/take-turns.ts';
import { watchMongo } from './watch-mongo.ts';

/** The part of the grace period for closing connections, after the attempts have ended. */
const CLOSING_MS = 2000;
const SHORTEST_STOP_MS = 500;
const LOOK_AGAIN_MS = 1000;
/** The first look at the keys has mostly ended by the time that the database is prepared. */
const KEY_LOOK_MS = 100;
/** How soon it notices that all secrets were sealed with another key. Milliseconds. */
const KEY_AGAIN_MS = 10_000;
/** A shorter fault of MongoDB delays messages and is no trouble. Milliseconds. */
const LOG_FAILING_MS = 5_000;
/** How long messages that wait may stay behind after Redis was emptied. Milliseconds. */
const PUBLISH_LOST_EVERY_MS = 10_000;
/** A process that stops does not wait for a frozen Redis. */
const LAST_HEARTBEAT_MS = 500;

/** The parts of a dispatcher that live as long as its process. */
interface Running {
  readonly service: Service<DispatcherConfig>;
  readonly resources: Resources;
  readonly log: AttemptLog;
  readonly observed: Observed;
  readonly loops: TakingTurns[];
  readonly count: TurnCounts;
  readonly key: KeyWatch;
  readonly texts: TextBudget;
  readonly slowRequests: { used: number };
  readonly progress: { prepared: boolean; taking: boolean; stopping: boolean };
}

/** The turns of all shards that run now. */
interface TurnCounts {
  /** Without those that wait for slow receivers. */
  quick(): number;
  slow(): number;
  all(): number;
}

function countTurns(loops: readonly TakingTurns[]): TurnCounts {
  const sum = (of: (loop: TakingTurns) => number) => loops.reduce((total, loop) => total + of(loop), 0);
  const quick = () => sum((loop) => loop.running());
  const slow = () => sum((loop) => loop.slow());
  return { quick, slow, all: () => quick() + slow() };
}

/** Starts a whole dispatcher. It answers probes at once. It takes turns once MongoDB has the right version and its indexes. */
export async function startDispatcher(service: Service<DispatcherConfig>): Promise<void> {
  const { config, logger, metrics, releasers } = service;
  const loops: TakingTurns[] = [];
  const count = countTurns(loops);
  const texts = createTextBudget(count.all);
  const resources = openResources(service, texts.share);
  const progress = { prepared: false, taking: false, stopping: false };
  const { store, keyring } = resources;
  const key = watchKey({
    ...{ ...store, subscriptionSecrets: store.subscriptions, keyring, logger, againMs: KEY_AGAIN_MS },
  });
  releasers.push('key', () => key.stop());
  const gather = createGather(GATHER_MS);
  const log = createAttemptLog({
    gather: () => (count.quick() < MANY_TURNS ? undefined : gather()),
    webhookMessages: resources.store.webhookMessages,
    onChange: warnOf(logger, 'attempts.unlogged', 'attempts cannot be logged; trying again'),
  });
  const observed = observe({ metrics, logger, now: Date.now });
  const slowRequests = { used: 0 };
  registerInUse(metrics, {
    running: count.quick,
    slow: count.slow,
    slowRequests: () => slowRequests.used,
    textCharacters: texts.held,
    logFailingMs: log.failingMs,
  });
  const trouble = watchTrouble(service, resources, { loops, key, progress, log });
  const admin = await openAdmin(service, resources, { key, trouble });
  const { redis, turns, countWaiting, shards } = resources;
  const heartbeat = startHeartbeat({ redis, keyspace: shards.first, kind: 'dispatcher', trouble });
  releasers.push('heartbeat', () => heartbeat.stop(), { deadlineMs: LAST_HEARTBEAT_MS });
  const stopMs = Math.max(SHORTEST_STOP_MS, config.SHUTDOWN_GRACE_SECONDS * 1000 - CLOSING_MS);
  releasers.push(
    'turns',
    async () => {
      admin.setDraining();
      progress.stopping = true;
      log.stop();
      await Promise.all(loops.map((loop) => loop.stop()));
    },
    { deadlineMs: stopMs },
  );
  registerReceiverMetrics({
    metrics,
    turns,
    countWaiting,
    subscriptions: store.subscriptions,
    shards: shards.all.length,
    now: Date.now,
  });
  const running = { service, resources, log, observed, loops, count, key, progress, texts, slowRequests };
  const { refuse } = service;
  const prepare = () => prepareDatabase({ store, logger, refuse });
  await untilPrepared({ store, logger, prepare, isStopping: () => progress.stopping });
  progress.prepared = true;
  await endWithOtherShards(running);
  await waitForKey(running);
  // A loop that starts now would not be stopped.
  if (progress.stopping) return;
  startLoops(running);
  startPublishingLost(running);
  progress.taking = true;
}

/** Returns why it takes no turns; null if it does. */
function watchTrouble(
  { releasers }: Service<DispatcherConfig>,
  { store }: Resources,
  { loops, key, progress, log }: Pick<Running, 'loops' | 'key' | 'progress' | 'log'>,
): () => string | null {
  const mongo = watchMongo(() => store.ping());
  releasers.push('watch of MongoDB', () => mongo.stop());
  return () =>
    troubleOf({
      ...progress,
      isMongoAway: mongo.isAway(),
      isLogFailing: log.failingMs() > LOG_FAILING_MS,
      isKeyUnknown: key.trouble() === 'unknown_key',
      areClaimsFailing: loops.some((loop) => loop.isFailing()),
    });
}

/**
 * Ends the process unless Redis has as many shards as this dispatcher serves, now and later. It would settle a turn in another shard
 * than the one in which it has claimed it, and send the messages again and again.
 */
async function endWithOtherShards({ service, resources, progress }: Running): Promise<void> {
  const { config, refuse, releasers } = service;
  const { SLUICE_NAMESPACE: namespace, QUEUE_SHARDS: count } = config;
  const watch = watchShardCount({ redis: resources.redis, namespace, count, refuse });
  releasers.push('shards', () => watch.stop());
  while (!progress.stopping) {
    const checked = await watch.check().then(
      () => true,
      () => false,
    );
    if (checked) return;
    await sleep(LOOK_AGAIN_MS);
  }
}

/** A dispatcher with a wrong key would hold the subscriptions that it claims, while others could deliver to them. */
async function waitForKey({ key, progress }: Running): Promise<void> {
  while (!progress.stopping && key.trouble() !== null) await sleep(KEY_LOOK_MS);
}

/** One loop for each shard: it takes the turns of that shard. */
function startLoops(running: Running): void {
  const { service, resources, loops, key, slowRequests } = running;
  const mayClaim = () => key.trouble() === null;
  const { turns } = resources;
  const runTurn = runTurnOf(running);
  for (const shard of resources.shards.all.keys()) {
    const blocking = resources.connect('dispatcher-wait');
    service.releasers.push('waiting connection', () => blocking.disconnect());
    const onChange = warnOf(service.logger, 'turns.failed', 'turns cannot be taken; trying again');
    loops.push(takeTurns({ turns, shard, blocking, runTurn, mayClaim, onChange, slowRequests }));
  }
}

/** Messages that wait are due again after Redis has lost them. What 0.2.0 left is brought over. */
function startPublishingLost({ service, resources }: Running): void {
  const onError = warnOf(service.logger, 'republish.failed', 'subscriptions not published; will retry');
  const run = async (isStopped: () => boolean) => {
    await resources.publishLost(isStopped);
    onError(null);
  };
  const publishing = repeat({ run, everyMs: PUBLISH_LOST_EVERY_MS, onError });
  publishing.runNow();
  service.releasers.push('publishing', () => publishing.stop());
}

function runTurnOf({ service, resources, log, observed, count, progress, texts }: Running) {
  const { logger, tracing } = service;
  const { store, turns, directory, agent, openedTo, keyring, streams } = resources;
  const readText = createReadText(store.outboundChanges.findTexts);
  const stopping = () => progress.stopping;
  const deliver = createDeliver({
    ...{ agent, openedTo, streams, readText, stopping, now: Date.now },
    slots: createOriginSlots(CONNECTIONS_PER_ORIGIN),
    signingKeys: createSigningKeys(keyring, createSealedLog(logger)),
    userAgent: `Sluice/${versionOfSluice()}`,
  });
  return createRunTurn({
    turns,
    deliver: traceAttempts(deliver, tracing),
    readText,
    texts,
    logAttempts: log.logAttempts,
    ...observed,
    running: count.all,
    settleReply: ({ messageId, delivered, reason }) =>
      store.conversationMessages.settleReply(messageId, delivered ? 'delivered' : 'failed', reason),
    ...createReceiverHealth({ store, directory, logger }),
    stopping,
    now: resources.now,
    random: Math.random,
  });
}

/** Logs the first of several errors in a row. */
function warnOf(logger: Service<DispatcherConfig>['logger'], event: string, text: string) {
  let failing = false;
  return (error: unknown): void => {
    if (error !== null && !failing) logger.warn({ event, err: error }, text);
    if (error === null && failing) logger.info({ event: `${event}.over` }, 'works again');
    failing = error !== null;
  };
}

function openAdmin(
  service: Service<DispatcherConfig>,
  { redis, store }: Resources,
  { key, trouble }: Pick<Running, 'key'> & { readonly trouble: () => string | null },
): Promise<AdminServer> {
  return service.openAdmin({
    port: service.config.DISPATCHER_ADMIN_PORT,
    variable: 'DISPATCHER_ADMIN_PORT',
    checks: {
      redis: () => pingRedis(redis),
      mongodb: () => store.ping(),
      secret_key: () => expectNone(key.trouble()),
    },
    knownChecks: { turns: () => expectNone(trouble()) },
  });
}

function expectNone(trouble: string | null): void {
  if (trouble !== null) throw new Error(trouble);
}
