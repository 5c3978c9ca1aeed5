import { setTimeout as sleep } from 'node:timers/promises';
import type { PublishedSubscription } from '@sluice/mailboxes/published-subscription';
import type { AdminServer } from '@sluice/runtime/http/admin-server';
import type { Service } from '@sluice/runtime/process/start-service';
import { versionOfSluice } from '@sluice/runtime/version';
import { isMongoAway } from '@sluice/store/mongo-away';
import { prepareDatabase } from '@sluice/store/prepare-database';
import { markFailing, markHealed, removeGone } from '@sluice/subscriptions/receiver-state';
import { createDeliver } from './attempt/deliver.ts';
import { createSigningKeys } from './attempt/secrets.ts';
import type { DispatcherConfig } from './config.ts';
import { createAttemptLog } from './log/attempt-log.ts';
import { observe } from './observe.ts';
import { openResources, type Resources } from './resources.ts';
import { createRunTurn } from './turns/run-turn.ts';
import { type TakingTurns, takeTurns } from './turns/take-turns.ts';

/** The part of the grace period for closing connections, after the attempts have ended. */
const CLOSING_MS = 2000;
const SHORTEST_STOP_MS = 500;
const LOOK_AGAIN_MS = 1000;

/** Starts a whole dispatcher. It answers probes at once. It takes turns once MongoDB has the right version and its indexes. */
export async function startDispatcher(service: Service<DispatcherConfig>): Promise<void> {
  const { config, logger, metrics, releasers, refuse } = service;
  const resources = openResources(service);
  const { store, mailboxes, directory } = resources;
  const progress = { taking: false, stopping: false };
  const admin = await openAdmin(service, resources, progress);
  const loops: TakingTurns[] = [];
  const log = createAttemptLog({
    webhookMessages: store.webhookMessages,
    onChange: warnOf(logger, 'attempts.unlogged', 'attempts cannot be logged; trying again'),
  });
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

  await store.opened().catch(() => undefined);
  while (!progress.stopping) {
    try {
      await prepareDatabase({ store, logger, refuse });
      break;
    } catch (error) {
      if (!isMongoAway(error)) throw error;
      await sleep(LOOK_AGAIN_MS);
    }
  }

  const receiver = {
    ...store,
    subscriptionDirectory: directory,
    now: Date.now,
    sleep: (ms: number) => sleep(ms),
  };
  const nameOf = ({ account_id, subscription_id }: PublishedSubscription) => ({
    accountId: account_id,
    subscriptionId: subscription_id,
  });
  const runTurn = createRunTurn({
    mailboxes,
    deliver: createDeliver({
      agent: resources.agent,
      signingKeys: createSigningKeys(resources.keyring),
      openedTo: resources.openedTo,
      now: Date.now,
      userAgent: `Sluice/${versionOfSluice()}`,
    }),
    findTexts: (changeIds) => store.outboundChanges.findTexts(changeIds),
    logAttempts: log.logAttempts,
    onAttempt: observe({
      metrics,
      logger,
      now: Date.now,
      running: () => loops.reduce((sum, loop) => sum + loop.running(), 0),
    }),
    async removeGone(subscription) {
      const { account_id, subscription_id, target_url: targetUrl } = subscription;
      const removed = await removeGone(receiver, { ...nameOf(subscription), targetUrl });
      if (removed !== undefined)
        logger.info(
          { event: 'subscription.gone', account_id, subscription_id },
          'the receiver is gone: removed',
        );
    },
    async onHealth(subscription, health) {
      const { account_id, subscription_id } = subscription;
      if (health === 'healed') {
        await markHealed(receiver, nameOf(subscription));
        logger.info(
          { event: 'subscription.healed', account_id, subscription_id },
          'the receiver accepts messages again',
        );
        return;
      }
      const detail = 'The receiver has accepted no message for five days.';
      await markFailing(receiver, { ...nameOf(subscription), detail });
      logger.warn(
        { event: 'subscription.failing', account_id, subscription_id },
        'a receiver has failed for five days',
      );
    },
    stopping: () => progress.stopping,
    now: Date.now,
    random: Math.random,
  });
  for (const shard of resources.shards.all.keys()) {
    const blocking = resources.connect('dispatcher-wait');
    releasers.push('waiting connection', () => blocking.disconnect());
    loops.push(
      takeTurns({
        mailboxes,
        shard,
        blocking,
        runTurn,
        onChange: warnOf(logger, 'turns.failed', 'turns cannot be taken; trying again'),
      }),
    );
  }
  progress.taking = true;
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
  progress: { readonly taking: boolean },
): Promise<AdminServer> {
  return service.openAdmin({
    port: service.config.DISPATCHER_ADMIN_PORT,
    variable: 'DISPATCHER_ADMIN_PORT',
    checks: {
      redis: () => redis.ping(),
      mongodb: () => store.ping(),
      turns: () => {
        if (!progress.taking) throw new Error('not taking turns yet');
      },
    },
  });
}
