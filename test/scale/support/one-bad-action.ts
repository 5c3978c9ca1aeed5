import { type AdmittedAction, GROUP_VERSION } from '@sluice/contract/delivery/groups';
import { newId } from '@sluice/credentials/ids';
import { createProducer } from '@sluice/queue/producer';
import { connectRedis } from '@sluice/redis/connection/redis-connection';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import type { TestSource } from '../../support/ingress.ts';
import type { Pipeline } from '../../support/pipeline.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { until } from '../../support/until.ts';
import type { RedisCluster } from './redis-cluster.ts';

/** A client of the whole Cluster, as in a worker. */
export async function connectedTo(cluster: Pick<RedisCluster, 'url'>) {
  const redis = connectRedis({ url: cluster.url, name: 'test', role: 'worker', logger: silentLogger() });
  await new Promise<void>((resolve) => redis.once('ready', () => resolve()));
  return redis;
}

export interface OneBad {
  readonly cluster: Pick<RedisCluster, 'url'>;
  readonly pipeline: Pipeline;
  readonly source: TestSource;
  /** The shard of the source's account. */
  readonly shard: number;
}

/** Guarantee 7: in a group with an action that no worker can apply, that action fails and the other takes effect. */
export async function expectOnlyTheBadOneFails({ cluster, pipeline, source, shard }: OneBad): Promise<void> {
  const redis = await connectedTo(cluster);
  const producer = createProducer({ redis, prefix: createKeyspace(pipeline.namespace, shard).prefix });
  const [good, bad] = [actionOf(source, 1, 'upsert'), actionOf(source, 2, 'explode')] as const;
  await producer.enqueueActions({ v: GROUP_VERSION, group_id: newId('grp'), actions: [good, bad] });
  await producer.close();
  redis.disconnect();
  const outcomes = async () => {
    const rows = await pipeline.deliveries(source);
    return [good, bad].map(({ delivery_id }) => rows.find((row) => row.delivery_id === delivery_id)?.outcome);
  };
  await until(async () => !(await outcomes()).includes(undefined), {
    withinMs: 90_000,
    what: 'both are in the log',
  });
  expect(await outcomes()).to.deep.equal(['created', 'failed']);
}

function actionOf({ sourceId, accountId }: TestSource, at: number, kind: string): AdmittedAction {
  const delivery_id = newId('dlv');
  return {
    delivery_id,
    request_id: newId('req'),
    source_id: sourceId,
    account_id: accountId,
    // About as high as the numbers that the admission assigns now.
    sequence: Date.now() * 1000 + at,
    received_at: Date.now(),
    duplicate_of: null,
    action: {
      kind: kind as 'upsert',
      identity: { title: `Of ${delivery_id}`, starts_at: 0, location: '' },
      content: {},
      status: 'upcoming',
    },
  };
}
