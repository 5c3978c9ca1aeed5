import { createSourceDirectory } from '@sluice/admission/source-directory';
import type { SourceRecord } from '@sluice/admission/source-record';
import { newId } from '@sluice/credentials/ids';
import { createKeyring, seal } from '@sluice/credentials/seal';
import { createKeyspace } from '@sluice/redis/keyspace';
import { Redis } from 'ioredis';

export interface BenchSource {
  readonly path: string;
  readonly secret: string;
}

/** All sources share one secret, because some programs know only one. */
export const SECRET = 'whsec_0123456789012345678901234567890123456789012';
export const SECRET_KEY = Buffer.alloc(32, 1);
const NAMESPACE = 'bench';
export const ACCOUNT = 'acc_bench';

/** The environment of the services besides the addresses of their stores. Limits are high, because they are not measured. */
export const SERVICE_ENV = {
  SLUICE_NAMESPACE: NAMESPACE,
  SLUICE_SECRET_KEY: SECRET_KEY.toString('base64'),
  INGRESS_PORT: '0',
  INGRESS_ADMIN_PORT: '0',
  WORKER_ADMIN_PORT: '0',
  DISPATCHER_ADMIN_PORT: '0',
  OUTBOUND_PRIVATE_NETWORKS: 'true',
  RATE_LIMIT_PER_SECOND: '1000000',
  RATE_LIMIT_BURST: '10000000',
  BACKLOG_LIMIT: '10000000',
} as const;

/** Settings of a source that change what its requests cost. */
export type SourceExtras = Pick<SourceRecord, 'sender' | 'external_ids'>;

/** Publishes a source of each account like the management does, without MongoDB. */
export async function publishSources(
  redisUrl: string,
  accountIds = [ACCOUNT],
  extras: SourceExtras = {},
): Promise<BenchSource[]> {
  const redis = new Redis(redisUrl);
  const directory = createSourceDirectory({ redis, keyspace: createKeyspace(NAMESPACE) });
  const keyring = createKeyring({ current: SECRET_KEY });
  const sources = accountIds.map(async (account_id) => {
    const source_id = newId('src');
    const record = {
      source_id,
      account_id,
      version: 1,
      active: true,
      sealed_secret: seal(keyring, source_id, SECRET),
      plan: 'unlimited',
      rate_per_second: null,
      rate_burst: null,
      body_storage: 'all' as const,
      ...extras,
    };
    await directory.republish(record, async () => record);
    return { path: `/api/v1/events/webhook/${source_id}`, secret: SECRET };
  });
  const published = await Promise.all(sources);
  redis.disconnect();
  return published;
}
