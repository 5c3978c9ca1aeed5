import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '@sluice/accounts/account/create-account';
import { createOwnerLink, welcomeUrl } from '@sluice/accounts/people/create-link';
import { showSecret } from '@sluice/accounts/secrets/show-secret';
import { createSource } from '@sluice/accounts/sources/create-source';
import { createReplicaWaits } from '@sluice/admission/replica-wait';
import { createShardedDirectory } from '@sluice/admission/sharded-directory';
import { createKeyring } from '@sluice/credentials/seal';
import { whyUnopened } from '@sluice/credentials/why-unopened';
import { connectRedis } from '@sluice/redis/connection/redis-connection';
import { createShards } from '@sluice/redis/shards/shards';
import { endpointUrl } from '@sluice/runtime/http/endpoint-url';
import { connectStore, type Store } from '@sluice/store/connect';
import { type Demo, type DemoDeps, type DemoSource, ensureDemoSource } from './demo-source.ts';
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

async function tryFirstSteps({ config, logger }: LaunchContext, launched: Launched): Promise<FirstSteps> {
  const store = connectStore({ url: launched.mongoUrl, namespace: config.SLUICE_NAMESPACE, logger });
  const redis = connectRedis({ url: launched.redisUrl, name: 'sluice-launcher', role: 'worker', logger });
  try {
    await store.opened();
    const shards = createShards(config.SLUICE_NAMESPACE, config.QUEUE_SHARDS);
    const replicaWaits = createReplicaWaits({ redis, shards, replicas: config.REDIS_WAIT_REPLICAS });
    const directory = createShardedDirectory({ redis, shards, replicaWaits });
    const verbs = demoVerbs({ store, directory, config, launched });
    const demo = await ensureDemoSource({ dataDir: config.DATA_DIR, ...verbs });
    const made = await createOwnerLink({ ...store, now: Date.now }, DEMO, { operator: true });
    return { demo, ownerLink: made.status === 'created' ? welcomeUrl(launched.apiUrl, made.token) : null };
  } finally {
    redis.disconnect();
    await store.close();
  }
}

interface VerbSettings {
  readonly store: Store;
  readonly directory: ReturnType<typeof createShardedDirectory>;
  readonly config: LaunchContext['config'];
  readonly launched: Launched;
}

function demoVerbs({ store, directory, config, launched }: VerbSettings): Pick<DemoDeps, 'find' | 'create'> {
  const { accounts, sources } = store;
  const keyring = createKeyring({ current: launched.secretKey, older: config.SLUICE_SECRET_KEYS_OLD });
  const demoSource = (sourceId: string, signingSecret: string): DemoSource => {
    return { sourceId, signingSecret, endpointUrl: endpointUrl(launched.eventsUrl, sourceId) };
  };

  return {
    find: async () => {
      const all = await sources.listSources({ account_id: DEMO, kind: 'events', live: true });
      const found = all.find(({ name }) => name === DEMO);
      if (found === undefined) return undefined;
      const opened = showSecret(keyring, found);
      if (opened.status === 'opened') return demoSource(found.source_id, opened.secret);
      throw new LaunchError(`${whyUnopened(opened)}\n${KEPT_KEY}`);
    },
    create: async () => {
      await createAccount({ accounts, plans: config.PLANS, now: Date.now }, { name: DEMO, accountId: DEMO });
      const deps = { accounts, sources, directory, keyring, now: Date.now };
      const made = await createSource(deps, { accountId: DEMO, name: DEMO });
      if (made.status !== 'created') throw new LaunchError(`cannot create the source "demo": ${made.status}`);
      return demoSource(made.source.source_id, made.signingSecret);
    },
  };
}

const KEPT_KEY =
  'npm start keeps its key in the file secret-key of DATA_DIR. Does it belong to this MongoDB?';
