import { createReplicaWaits } from '@sluice/admission/replica-wait';
import { createShardedDirectory, type ShardedDirectory } from '@sluice/admission/sharded-directory';
import { createKeyring, type Keyring } from '@sluice/credentials/seal';
import type { Mailer, MailerSettings } from '@sluice/mail/mailer';
import type { SetShardsDeps } from '@sluice/management/set-shards';
import type { DeadLetters } from '@sluice/queue/dead-letters';
import type { Producer } from '@sluice/queue/producer';
import { resolveStores, type Stores } from '@sluice/runtime/config/resolve-stores';
import { withoutCredentials } from '@sluice/runtime/config/without-credentials';
import { createLogger } from '@sluice/runtime/telemetry/logger';
import { createKeyspace } from '@sluice/shards/keyspace';
import { createShards } from '@sluice/shards/shards';
import type { Store } from '@sluice/store/connect';
import { configuredMail } from './configured-mail.ts';
import { CommandFailure, EXIT, failed, tryAgainLater } from './exit-codes.ts';
import { untilReady } from './redis-ready.ts';
import { configuredSharding, readSharding } from './sharding.ts';

/** Generous, because a running store responds within milliseconds. */
const CONNECT_TIMEOUT_MS = 3000;

/**
 * The services that commands use. Each part is loaded and connected on first use, because loading the store libraries
 * is most of a command's run time.
 */
export interface Stack {
  readonly eventsUrl: string;
  /** The dashboard's URL. */
  readonly apiUrl: string;
  store(): Promise<Store>;
  directory(): Promise<ShardedDirectory>;
  deadLetters(): Promise<DeadLetters>;
  producer(): Promise<Producer>;
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
  const undo: (() => Promise<unknown> | unknown)[] = [];
  try {
    return await work(openStack(env, found.stores, (release) => void undo.push(release)));
  } finally {
    for (const release of undo.reverse()) await release();
  }
}

function openStack(
  env: NodeJS.ProcessEnv,
  stores: Stores,
  onClose: (release: () => Promise<unknown> | unknown) => void,
): Stack {
  const keyspace = createKeyspace(stores.namespace);

  const redis = once(async () => {
    const { connectRedis } = await import('@sluice/runtime/redis/redis-connection');
    const { reasonOf, redisRefusal } = await import('@sluice/runtime/redis/redis-refusal');
    const logger = createLogger({ service: 'cli', level: 'silent' });
    const client = connectRedis({ url: stores.redisUrl, name: 'sluice-cli', role: 'request', logger });
    onClose(() => client.disconnect());
    await untilReady(client, CONNECT_TIMEOUT_MS).catch(async (error: Error) => {
      const where = withoutCredentials(stores.redisUrl);
      const reason = reasonOf(error);
      const refusal = await redisRefusal(stores.redisUrl, reason);
      throw refusal === undefined
        ? tryAgainLater(`Redis at ${where} doesn't respond (${reason}). Start it and run this command again.`)
        : failed(`Redis at ${where} refuses the connection (${refusal.said}). ${refusal.advice}`);
    });
    return client;
  });

  const store = once(async () => {
    const { connectStore } = await import('@sluice/store/connect');
    const { isMongoAway } = await import('@sluice/store/mongo-away');
    const { mongoRefusal } = await import('@sluice/store/mongo-refusal');
    const { whyTooNew } = await import('@sluice/store/schema-version');
    const { mongoUrl: url, namespace } = stores;
    const opened = connectStore({ url, namespace, serverSelectionMs: CONNECT_TIMEOUT_MS });
    onClose(() => opened.close());
    await opened.opened().catch((error: Error) => {
      const where = withoutCredentials(url);
      const reason = error.message;
      const refusal = mongoRefusal(error);
      if (refusal === undefined && isMongoAway(error))
        throw tryAgainLater(
          `MongoDB at ${where} doesn't respond (${reason}). Start it and run this command again.`,
        );
      const advice = refusal?.advice ?? 'Correct the address in MONGO_URL.';
      throw failed(`MongoDB at ${where} refuses the connection (${reason}). ${advice}`);
    });
    const fit = await opened.schema();
    if (fit.status === 'too_new') throw failed(whyTooNew(fit));
    return opened;
  });

  function closing<T extends { close(): Promise<void> }>(made: T): T {
    onClose(() => made.close());
    return made;
  }

  return {
    eventsUrl: stores.eventsUrl,
    apiUrl: stores.apiUrl,
    store,
    async directory() {
      const client = await redis();
      const { count, replicas } = await readSharding(client, stores.namespace, env);
      const shards = createShards(stores.namespace, count);
      const replicaWaits = createReplicaWaits({ redis: client, shards, replicas });
      return createShardedDirectory({ redis: client, shards, replicaWaits });
    },
    deadLetters: async () => {
      const { createDeadLetters } = await import('@sluice/queue/dead-letters');
      return closing(createDeadLetters({ redis: await redis(), prefix: keyspace.prefix }));
    },
    producer: async () => {
      const { createProducer } = await import('@sluice/queue/producer');
      return closing(createProducer({ redis: await redis(), prefix: keyspace.prefix }));
    },
    shardChange: async (now) => {
      const { shardChange } = await import('./shard-change.ts');
      const { replicas } = configuredSharding(env);
      const parts = { redis: await redis(), store: await store(), namespace: stores.namespace, replicas };
      return shardChange(parts, now);
    },
    mailer: async (logger) => {
      const { openMailer } = await import('@sluice/mail/open-mailer');
      return openMailer({ ...configuredMail(env), API_URL: stores.apiUrl }, logger);
    },
    keyring: () => {
      if (stores.secretKey !== undefined)
        return createKeyring({ current: stores.secretKey, older: stores.oldSecretKeys });
      throw failed(
        "There is no key to encrypt signing secrets. Set SLUICE_SECRET_KEY to the services' value, or DATA_DIR to npm start's folder.",
      );
    },
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
