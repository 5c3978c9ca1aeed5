import { createSourceDirectory } from '@sluice/admission/source-directory';
import { createKeyspace } from '@sluice/redis/keyspace';
import { connectStore, type Store } from '@sluice/store/connect';
import { Redis } from 'ioredis';
import type { useInstallation } from './support.ts';

interface UsedStores {
  store: Store;
  /** A source or channel as an ingress reads it in Redis. */
  published: (id: string) => ReturnType<ReturnType<typeof createSourceDirectory>['read']>;
}

/** The stores of an installation, beside its commands. */
export function useStores(used: ReturnType<typeof useInstallation>): UsedStores {
  const at = {} as UsedStores;
  let redis: Redis;
  before(async () => {
    const namespace = used.env.SLUICE_NAMESPACE ?? '';
    at.store = connectStore({ url: used.mongo.url, namespace });
    await at.store.opened();
    redis = new Redis(used.env.REDIS_URL ?? '');
    at.published = (id) => createSourceDirectory({ redis, keyspace: createKeyspace(namespace) }).read(id);
  });
  after(async () => {
    redis?.disconnect();
    await at.store?.close();
  });
  return at;
}
