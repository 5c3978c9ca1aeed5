import { createSourceDirectory } from '@sluice/admission/source-directory';
import { newId } from '@sluice/credentials/ids';
import { createKeyring, seal } from '@sluice/credentials/seal';
import { createKeyspace } from '@sluice/shards/keyspace';
import { Redis } from 'ioredis';

export interface BenchSource {
  readonly sourceId: string;
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

/** Publishes sources like the management does, without MongoDB. `accountOf` returns the account of the source with a number. */
export async function publishSources(
  redisUrl: string,
  count = 1,
  accountOf: (number: number) => string = () => ACCOUNT,
): Promise<BenchSource[]> {
  const redis = new Redis(redisUrl);
  const directory = createSourceDirectory({ redis, keyspace: createKeyspace(NAMESPACE) });
  const keyring = createKeyring({ current: SECRET_KEY });
  const sources = Array.from({ length: count }, () => newId('src'));
  await Promise.all(
    sources.map((source_id, number) => {
      const record = {
        source_id,
        account_id: accountOf(number),
        version: 1,
        active: true,
        sealed_secret: seal(keyring, source_id, SECRET),
        plan: 'unlimited',
        rate_per_second: null,
        rate_burst: null,
      };
      return directory.republish(record, async () => record);
    }),
  );
  redis.disconnect();
  return sources.map((sourceId) => ({
    sourceId,
    path: `/api/v1/events/webhook/${sourceId}`,
    secret: SECRET,
  }));
}
