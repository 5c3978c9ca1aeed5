import type { SetShardsDeps } from '@sluice/accounts/shards/set-shards';
import type { EnqueueActions } from '@sluice/admission/enqueue/enqueue-actions';
import { createReplicaWaits } from '@sluice/admission/replica-wait';
import { createShardedDirectory, type ShardedDirectory } from '@sluice/admission/sharded-directory';
import { createKeyring, type Keyring } from '@sluice/credentials/seal';
import type { Mailer, MailerSettings } from '@sluice/mail/mailer';
import type { connectPublishing } from '@sluice/outbound/subscriptions/connect-subscriptions';
import type { SubscriptionDeps } from '@sluice/outbound/subscriptions/deps';
import type { DeadLetters } from '@sluice/queue/dead-letters';
import type { Producer } from '@sluice/queue/producer';
import { claimKey, type EndClaim } from '@sluice/redis/claim';
import { createKeyspace } from '@sluice/redis/keyspace';
import { createShards } from '@sluice/redis/shards/shards';
import { resolveStores, type Stores } from '@sluice/runtime/config/resolve-stores';
import { withSettings } from '@sluice/runtime/config/shared-settings';
import type { Store } from '@sluice/store/connect';
import { configuredLimits, configuredMail } from './configured.ts';
import { connectToMongo } from './connect-mongo.ts';
import { connectToRedis } from './connect-redis.ts';
import { type OnClose, once, withReleases } from './connecting.ts';
import { CommandFailure, EXIT, failed } from './exit-codes.ts';
import type { RecordChanges } from './record-changes.ts';
import { configuredSharding, readSharding } from './sharding.ts';

/**
 * The services that commands use. Each part is loaded and connected on first use, because loading the store libraries
 * is most of a command's run time.
 */
export interface Stack {
  /** The environment, with the settings of the running `npm start` whose stores these are. */
  readonly env: NodeJS.ProcessEnv;
  readonly eventsUrl: string;
  /** The dashboard's URL. */
  readonly apiUrl: string;
  store(): Promise<Store>;
  directory(): Promise<ShardedDirectory>;
  /** Changes leads and conversations. Throws if Redis is away. `now`: milliseconds since the Unix epoch. */
  recordChanges(now: () => number): Promise<RecordChanges>;
  /** Enqueues actions as the API server does. */
  enqueueActions(now: () => number): Promise<EnqueueActions>;
  /** The dependencies of changes that need no secret, such as pauses. Throws if Redis is away. */
  publishing(now: () => number): Promise<ReturnType<typeof connectPublishing>>;
  /** The dependencies of changes of webhook subscriptions. Throws if no key for their secrets is configured. */
  subscriptions(now: () => number): Promise<SubscriptionDeps>;
  deadLetters(): Promise<DeadLetters>;
  producer(): Promise<Producer>;
  /** Claims the encryption of all secrets for this command. Undefined: another command has it. */
  claimReseal(): Promise<EndClaim | undefined>;
  /** `now`: milliseconds since the Unix epoch. */
  shardChange(now: () => number): Promise<SetShardsDeps>;
  /** Undefined: this installation sends no mail. The caller closes it. Throws if the mail variables are invalid. */
  mailer(logger: MailerSettings['logger']): Promise<Mailer | undefined>;
  /** Throws if no key for signing secrets is configured. */
  keyring(): Keyring;
}

/** Finds the stores, runs a command with them, and closes every connection so that the process can exit. */
export async function withStack<T>(env: NodeJS.ProcessEnv, work: (stack: Stack) => Promise<T>): Promise<T> {
  const found = await resolveStores(env);
  if (!found.ok) throw new CommandFailure(found.retry ? EXIT.tryAgainLater : EXIT.failed, found.detail);
  const { stores } = found;
  return withReleases((onClose) => work(openStack(withSettings(env, stores.settings), stores, onClose)));
}

function openStack(env: NodeJS.ProcessEnv, stores: Stores, onClose: OnClose): Stack {
  const keyspace = createKeyspace(stores.namespace);

  const redis = once(() => connectToRedis(stores.redisUrl, onClose));
  const store = once(() => connectToMongo({ url: stores.mongoUrl, namespace: stores.namespace }, onClose));
  const sharding = once(async () => {
    const client = await redis();
    const { count, replicas } = await readSharding(client, stores.namespace, env);
    const shards = createShards(stores.namespace, count);
    return { redis: client, shards, replicaWaits: createReplicaWaits({ redis: client, shards, replicas }) };
  });
  const directory = once(async () => createShardedDirectory(await sharding()));

  function closing<T extends { close(): Promise<void> }>(made: T): T {
    onClose(() => made.close());
    return made;
  }

  function keyring(): Keyring {
    if (stores.secretKey !== undefined)
      return createKeyring({ current: stores.secretKey, older: stores.oldSecretKeys });
    throw failed(
      "There is no key to encrypt signing secrets. Set SLUICE_SECRET_KEY to the services' value, or DATA_DIR to npm start's folder.",
    );
  }

  return {
    env,
    eventsUrl: stores.eventsUrl,
    apiUrl: stores.apiUrl,
    store,
    directory,
    async recordChanges(now) {
      // Redis first: with Redis away nothing is changed, because nothing could be published.
      const connected = await sharding();
      const { openRecordChanges } = await import('./record-changes.ts');
      return openRecordChanges({ ...connected, store: await store(), now }, onClose);
    },
    async enqueueActions(now) {
      const limits = configuredLimits(env);
      const parts = { ...(await sharding()), directory: await directory(), store: await store() };
      const { openEnqueueActions } = await import('./open-actions.ts');
      return openEnqueueActions({ ...parts, limits, now }, onClose);
    },
    async publishing(now) {
      const { connectPublishing: connect } = await import(
        '@sluice/outbound/subscriptions/connect-subscriptions'
      );
      return connect({ ...(await sharding()), store: await store(), now });
    },
    async subscriptions(now) {
      const config = configuredLimits(env);
      const sealing = keyring();
      const { connectSubscriptions } = await import('@sluice/outbound/subscriptions/connect-subscriptions');
      return connectSubscriptions({
        ...(await sharding()),
        ...{ config, keyring: sealing, store: await store(), now },
      });
    },
    deadLetters: async () => {
      const { createDeadLetters } = await import('@sluice/queue/dead-letters');
      return closing(createDeadLetters({ redis: await redis(), prefix: keyspace.prefix }));
    },
    producer: async () => {
      const { createProducer } = await import('@sluice/queue/producer');
      return closing(createProducer({ redis: await redis(), prefix: keyspace.prefix }));
    },
    claimReseal: async () => claimKey(await redis(), keyspace.reseal),
    shardChange: async (now) => {
      const { shardChange } = await import('./shard-change.ts');
      const { replicas } = configuredSharding(env);
      const parts = { redis: await redis(), store: await store(), namespace: stores.namespace, replicas };
      return shardChange(parts, now);
    },
    mailer: async (logger) => {
      const { openMailer } = await import('@sluice/mail/mailer');
      return openMailer({ ...configuredMail(env), API_URL: stores.apiUrl }, logger);
    },
    keyring,
  };
}
