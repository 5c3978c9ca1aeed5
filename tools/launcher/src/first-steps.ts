import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '@sluice/accounts/account/create-account';
import { createOwnerLink, welcomeUrl } from '@sluice/accounts/people/create-link';
import { showSecret } from '@sluice/accounts/secrets/show-secret';
import { createSource } from '@sluice/accounts/sources/create-source';
import { createReplicaWaits } from '@sluice/admission/replica-wait';
import { createShardedDirectory, type ShardedDirectory } from '@sluice/admission/sharded-directory';
import { createKeyring } from '@sluice/credentials/seal';
import { whyUnopened } from '@sluice/credentials/why-unopened';
import { connectRedis } from '@sluice/redis/connection/redis-connection';
import { createShards } from '@sluice/redis/shards/shards';
import { endpointUrl } from '@sluice/runtime/http/endpoint-url';
import { connectStore, type Store } from '@sluice/store/connect';
import { type Demo, type DemoSource, keepDemoSecret } from './demo-source.ts';
import type { Launched } from './launch.ts';
import { type LaunchContext, LaunchError } from './launch-context.ts';

const DEMO = 'demo';
const PAUSE_MS = 2000;

/** The demo source, and the link that signs the first owner in. Null if the account has an owner. */
export interface FirstSteps {
  readonly demo: Demo;
  readonly ownerLink: string | null;
}

/**
 * Finds or creates the demo source in the running stores, and an owner link while its account has no owner. It tries again
 * until a stop, because the services work without it. Rejects with a LaunchError if the secret key is wrong, or after a stop.
 */
export async function firstSteps(context: LaunchContext, launched: Launched): Promise<FirstSteps> {
  for (;;) {
    try {
      return await tryFirstSteps(context, launched);
    } catch (error) {
      context.unlessStopping();
      if (error instanceof LaunchError) throw error;
      context.output.say(
        `the services run, but the demo source and the sign-in link are not ready (${(error as Error).message}); trying again`,
      );
      await sleep(PAUSE_MS);
      context.unlessStopping();
    }
  }
}

async function tryFirstSteps(context: LaunchContext, launched: Launched): Promise<FirstSteps> {
  const { config, logger } = context;
  const store = connectStore({ url: launched.mongoUrl, namespace: config.SLUICE_NAMESPACE, logger });
  const redis = connectRedis({ url: launched.redisUrl, name: 'sluice-launcher', role: 'worker', logger });
  try {
    await store.opened();
    const shards = createShards(config.SLUICE_NAMESPACE, config.QUEUE_SHARDS);
    const replicaWaits = createReplicaWaits({ redis, shards, replicas: config.REDIS_WAIT_REPLICAS });
    const directory = createShardedDirectory({ redis, shards, replicaWaits });
    const source = await demoSource(store, directory, context, launched);
    const demo = await keepDemoSecret(config.DATA_DIR, source);
    const made = await createOwnerLink({ ...store, now: Date.now }, DEMO, { operator: true });
    return { demo, ownerLink: made.status === 'created' ? welcomeUrl(launched.apiUrl, made.token) : null };
  } finally {
    redis.disconnect();
    await store.close();
  }
}

/** Finds the source "demo" of the account "demo", or creates both. */
async function demoSource(
  { accounts, sources }: Store,
  directory: ShardedDirectory,
  { config }: LaunchContext,
  { secretKey, eventsUrl }: Launched,
): Promise<DemoSource> {
  const keyring = createKeyring({ current: secretKey, older: config.SLUICE_SECRET_KEYS_OLD });
  const shown = (sourceId: string, signingSecret: string) => {
    return { sourceId, signingSecret, endpointUrl: endpointUrl(eventsUrl, sourceId) };
  };
  const all = await sources.listSources({ account_id: DEMO, kind: 'events', live: true });
  const found = all.find(({ name }) => name === DEMO);
  if (found !== undefined) {
    const opened = showSecret(keyring, found);
    if (opened.status === 'opened') return shown(found.source_id, opened.secret);
    throw new LaunchError(`${whyUnopened(opened)}\n${KEPT_KEY}`);
  }
  await createAccount({ accounts, plans: config.PLANS, now: Date.now }, { name: DEMO, accountId: DEMO });
  const deps = { accounts, sources, directory, keyring, now: Date.now };
  const made = await createSource(deps, { accountId: DEMO, name: DEMO });
  if (made.status !== 'created') throw new LaunchError(`cannot create the source "demo": ${made.status}`);
  return shown(made.source.source_id, made.signingSecret);
}

const KEPT_KEY =
  'npm start keeps its key in the file secret-key of DATA_DIR. Does it belong to this MongoDB?';
