import { expect } from 'chai';
import { Redis } from 'ioredis';
import { mongo as driver } from 'mongoose';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { sluice } from './support.ts';

describe('sluice doctor: the stores', function () {
  this.timeout(180_000);
  let pipeline: Pipeline;
  let redis: Redis;
  let mongo: driver.MongoClient;
  before(async () => {
    pipeline = await startPipeline({ workers: 0 });
    redis = new Redis(pipeline.env.REDIS_URL ?? '');
    mongo = await new driver.MongoClient(pipeline.env.MONGO_URL ?? '').connect();
  });
  after(async () => {
    redis?.disconnect();
    await mongo?.close();
    await pipeline?.stop();
  });

  const found = async () => {
    const { REDIS_URL = '', MONGO_URL = '' } = pipeline.env;
    const env = { REDIS_URL, MONGO_URL, SLUICE_NAMESPACE: pipeline.namespace };
    const { rows } = await sluice(['doctor', '--json'], { env });
    return Object.fromEntries(rows.map(({ check, result, detail }) => [check, { result, detail }]));
  };

  it('are a problem if one takes no writes, evicts, or lacks indexes, with the reason', async () => {
    const db = mongo.db(new URL(pipeline.env.MONGO_URL ?? '').pathname.slice(1) || pipeline.namespace);
    await pipeline.store.ensureIndexes();
    await db.collection('api_keys').dropIndex('hash_1');
    await redis.config('SET', 'min-replicas-to-write', '1');
    const first = await found();
    expect(first.Redis?.result).to.equal('problem');
    expect(first.Redis?.detail).to.match(/^NOREPLICAS /);
    expect(first.MongoDB).to.deep.equal({
      result: 'problem',
      detail: 'it lacks 1 indexes, so queries are slow: api_keys.hash_1',
    });
    expect(await db.collection<{ _id: string }>('meta').findOne({ _id: 'doctor' })).to.equal(null);

    await redis.config('SET', 'min-replicas-to-write', '0');
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await pipeline.store.ensureIndexes();
    const second = await found();
    expect(second.Redis?.result).to.equal('problem');
    expect(second.Redis?.detail).to.contain('redis-cli CONFIG SET maxmemory-policy noeviction');
    expect(second.MongoDB?.result).to.equal('ok');
  });
});
