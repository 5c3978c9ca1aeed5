import { createAccount } from '@sluice/accounts/account/create-account';
import { createSource } from '@sluice/accounts/sources/create-source';
import { createSourceDirectory } from '@sluice/admission/source-directory';
import { parsePlans } from '@sluice/contract/account/plans';
import { createKeyring } from '@sluice/credentials/seal';
import { createKeyspace } from '@sluice/redis/keyspace';
import { connectStore } from '@sluice/store/connect';
import { Redis } from 'ioredis';
import { created } from '../support/created.ts';
import { openTestMongo } from '../support/mongo-server.ts';
import { sharedRedisUrl } from '../support/shared-redis.ts';

export const keyring = createKeyring({ current: Buffer.alloc(32, 7) });
export const NOW = 1_795_250_000_000;
export const now = () => NOW;

const parsed = parsePlans('free:1000,pro:100000,unlimited');
if (!parsed.ok) throw new Error(parsed.detail);
export const { plans } = parsed;

/** Everything that management works with, real, in a separate namespace. */
export async function openInstallation() {
  const mongo = await openTestMongo('management');
  const store = connectStore({ url: mongo.url, namespace: 'unused' });
  await store.opened();
  const redis = new Redis(sharedRedisUrl());
  const keyspace = createKeyspace(mongo.database);
  const directory = createSourceDirectory({ redis, keyspace });
  const { accounts, sources, apiKeys } = store;
  const deps = { accounts, sources, apiKeys, directory, keyring, plans, now };

  return {
    deps,
    store,
    redis,
    keyspace,
    newSource: async (accountId = 'acc_1') => {
      await createAccount(deps, { name: accountId, accountId });
      const made = created(await createSource(deps, { accountId, name: 'Booking' }));
      return made;
    },
    close: async () => {
      redis.disconnect();
      await store.close();
      await mongo.close();
    },
  };
}

export type Installation = Awaited<ReturnType<typeof openInstallation>>;

export const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
