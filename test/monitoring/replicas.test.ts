import { type ReplicaState, readReplicas, startHeartbeat } from '@sluice/monitoring/replicas';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { useRedisClient } from '../support/redis-client.ts';
import { uniqueNamespace } from '../support/shared-redis.ts';
import { until } from '../support/until.ts';

describe('activity: heartbeats of processes', () => {
  const redis = useRedisClient();

  it('appear at once with their trouble, and disappear after a stop', async () => {
    const stores = { redis, keyspace: createKeyspace(uniqueNamespace()) };
    const heard = () => readReplicas(stores, Date.now());
    const heartbeat = startHeartbeat({ ...stores, kind: 'worker', trouble: () => 'MongoDB is away' });
    await until(async () => (await heard()).length > 0, { what: 'it is heard of' });
    const [state] = await heard();
    expect(state).to.include({ kind: 'worker', pid: process.pid, trouble: 'MongoDB is away' });
    await heartbeat.stop();
    expect(await heard()).to.deep.equal([]);
  });

  it('are removed after a minute of silence, and not before', async () => {
    const stores = { redis, keyspace: createKeyspace(uniqueNamespace()) };
    const now = Date.now();
    const said = async (replica_id: string, last_seen_at: number) => {
      const state: ReplicaState = {
        replica_id,
        kind: 'ingress',
        host: 'host',
        pid: 1,
        trouble: null,
        ignores_proxy: false,
        started_at: 0,
        last_seen_at,
      };
      await redis.hset(stores.keyspace.replicas, replica_id, JSON.stringify(state));
    };
    await said('killed', now - 60_001);
    await said('slow', now - 60_000);
    expect((await readReplicas(stores, now)).map(({ replica_id }) => replica_id)).to.deep.equal(['slow']);
    expect(await redis.hkeys(stores.keyspace.replicas)).to.deep.equal(['slow']);
  });
});
