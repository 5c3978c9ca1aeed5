import { setTimeout as sleep } from 'node:timers/promises';
import { subscriptionInput } from '@sluice/contract/subscription/subscription';
import { newId } from '@sluice/credentials/ids';
import { createKeyring } from '@sluice/credentials/seal';
import { createSubscriptionDirectory } from '@sluice/outbound/directory/subscription-directory';
import { createOutbox, type Outbox } from '@sluice/outbound/log/outbox';
import { createSubscription } from '@sluice/outbound/subscriptions/create-subscription';
import type { SubscriptionDeps } from '@sluice/outbound/subscriptions/deps';
import { connectRedis } from '@sluice/redis/connection/redis-connection';
import { createShards } from '@sluice/redis/shards/shards';
import type { ApiKey } from '@sluice/store/accounts/api-keys';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { type Pipeline, type PipelineSettings, startPipeline } from '../../support/pipeline.ts';
import { type ServiceProcess, startService } from '../../support/service-process.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { use } from '../../support/use.ts';

/** Real processes from the webhook to the receivers. */
export interface OutboundPipeline extends Pipeline {
  readonly dispatchers: ServiceProcess[];
  readonly outbox: Outbox;
  readonly deps: SubscriptionDeps;
  /** How many batches of the account's log may still be confirmed. */
  openBatches(accountId: string): Promise<number>;
  /** `changed` overrides the common environment. */
  addDispatcher(changed?: Readonly<Record<string, string>>): Promise<ServiceProcess>;
  /** Subscribes as the API does, with a new key or the given one. */
  subscribe(
    accountId: string,
    body: { readonly target_url: string; readonly events: readonly string[] } & Record<string, unknown>,
    keyId?: string | null,
  ): Promise<{ readonly subscription: Subscription; readonly secret: string }>;
}

export type OutboundSettings = PipelineSettings & { readonly dispatchers?: number };

/** A pipeline for the tests of a describe block. Settings that depend on another part are a function. */
export function useOutboundPipeline(
  settings: OutboundSettings | (() => OutboundSettings) = {},
): OutboundPipeline {
  const start = () => startOutboundPipeline(typeof settings === 'function' ? settings() : settings);
  return use(start);
}

export async function startOutboundPipeline({
  dispatchers = 1,
  ...settings
}: OutboundSettings = {}): Promise<OutboundPipeline> {
  const env = { OUTBOUND_PRIVATE_NETWORKS: 'true', ...settings.env };
  const pipeline = await startPipeline({ ...settings, env });
  const { REDIS_URL = '', SLUICE_SECRET_KEY = '' } = pipeline.env;
  const redis = connectRedis({ url: REDIS_URL, name: 'test', role: 'worker', logger: silentLogger() });
  const shards = createShards(pipeline.namespace, 1);
  const subscriptionDirectory = createSubscriptionDirectory({ redis, shards });
  const { store } = pipeline;
  const outbox = createOutbox({ redis, shards, store, now: Date.now });
  const deps: SubscriptionDeps = {
    ...{ ...store, outbox },
    subscriptionDirectory,
    keyring: createKeyring({ current: Buffer.from(SLUICE_SECRET_KEY, 'base64') }),
    checkTargetUrl: async (text) => ({ outcome: 'url', url: new URL(text).href }),
    subscriptionLimit: 10_000,
    now: Date.now,
    sleep: (ms) => sleep(ms),
  };
  const running: ServiceProcess[] = [];
  const more: Omit<OutboundPipeline, keyof Pipeline> & Pick<OutboundPipeline, 'stop'> = {
    dispatchers: running,
    ...{ outbox, deps },
    openBatches: (accountId) => redis.zcount(shards.of(accountId).openBatches(accountId), Date.now(), '+inf'),
    async addDispatcher(changed = {}) {
      const service = startService('dispatcher', { ...pipeline.env, ...changed });
      running.push(service);
      await service.ready();
      return service;
    },
    async subscribe(accountId, body, keyId) {
      const key_id = keyId ?? newId('key');
      const apiKey: ApiKey = {
        ...{ key_id, account_id: accountId, name: 'A key', prefix: 'slc_live_x', hash: key_id },
        ...{ scopes: ['webhooks'], created_at: Date.now(), expires_at: null, revoked_at: null },
        ...{ last_used_at: null, last_used_from: null },
      };
      if (!keyId) await pipeline.store.apiKeys.insertApiKey(apiKey);
      const input = subscriptionInput.parse(body);
      const made = await createSubscription(deps, { accountId, key: apiKey, input, newId: newId('sub') });
      if (!('secret' in made)) throw new Error(JSON.stringify(made));
      return made;
    },
    async stop() {
      await Promise.all(running.map((service) => service.kill('SIGKILL')));
      redis.disconnect();
      await pipeline.stop();
    },
  };
  // A spread would call the getters of the pipeline.
  const same: Pipeline = Object.defineProperties({} as Pipeline, Object.getOwnPropertyDescriptors(pipeline));
  const outbound: OutboundPipeline = Object.assign(same, more);
  try {
    for (let n = 0; n < dispatchers; n++) await outbound.addDispatcher();
  } catch (error) {
    await outbound.stop();
    throw error;
  }
  return outbound;
}
