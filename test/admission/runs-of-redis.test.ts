import { createAdmit } from '@sluice/admission/admit';
import { createPlanUse } from '@sluice/admission/plan-use';
import { type ShardMoved, UNKNOWN_RUN } from '@sluice/admission/shard-moved';
import { createSourceDirectory, type SourceDirectory } from '@sluice/admission/source-directory';
import type { Ticket } from '@sluice/admission/ticket';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { loseWrites } from '../support/lose-writes.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { sourceRecord } from '../support/source-record.ts';
import { inputOf, outcomes } from './support/use-admission.ts';

const keyspace = createKeyspace('runs');

const TICKET: Ticket = {
  ...{ kind: 'action', upsert: true, timestamp: '1790000000', rememberSeconds: 600 },
  signature: `sha256=${'a'.repeat(64)}`,
};

const record = (version: number) => sourceRecord({ source_id: 'a', version, sealed_secret: `s${version}` });

/** Resolves to the version that is current then. */
async function putBack(directory: SourceDirectory, version: number): Promise<number | undefined> {
  return (await directory.republish(record(version), async () => record(version)))?.version;
}

describe('admission: a restarted Redis', function () {
  this.timeout(240_000);
  let server: RedisServer;
  let redis: Redis;
  beforeEach(async () => {
    server = await startRedis({ aof: true });
    redis = connect();
  });
  afterEach(async () => {
    redis?.disconnect();
    await server?.stop();
  });

  function connect(): Redis {
    const connection = new Redis(server.url, { retryStrategy: () => 20 });
    connection.on('error', () => {});
    return connection;
  }

  async function startAgain() {
    redis.disconnect();
    await server.restart();
    redis = connect();
    return createSourceDirectory({ redis, keyspace });
  }

  it('has no valid sources from before its restart', async () => {
    await putBack(createSourceDirectory({ redis, keyspace }), 1);
    const directory = await startAgain();
    expect(await directory.read('a')).to.deep.equal({ state: 'absent' });
    expect(await putBack(directory, 1)).to.equal(1);
    expect(await directory.read('a')).to.deep.equal({ state: 'published', record: record(1) });
  });

  it('accepts an older version once, and then only newer ones', async () => {
    await putBack(createSourceDirectory({ redis, keyspace }), 5);
    const directory = await startAgain();
    expect(await putBack(directory, 3)).to.equal(3);
    expect(await putBack(directory, 2)).to.equal(undefined);
    expect(await directory.publish(record(4), await directory.fence('a'))).to.equal(true);
    expect(await directory.read('a')).to.deep.equal({ state: 'published', record: record(4) });
  });

  it('rejects a source that was read before a change in the previous run', async () => {
    const directory = createSourceDirectory({ redis, keyspace });
    await putBack(directory, 1);
    const old = directory.republish(record(1), async () => {
      const read = record(1);
      await directory.publish(record(2), await directory.fence('a'));
      await server.restart();
      return read;
    });
    expect(await old).to.equal(undefined);
    expect(await directory.read('a')).to.deep.equal({ state: 'absent' });
    expect(await putBack(directory, 2)).to.equal(2);
  });

  it('rejects a change that was read before another change in the previous run', async () => {
    const directory = createSourceDirectory({ redis, keyspace });
    const late = await directory.fence('a');
    await directory.publish(record(6), await directory.fence('a'));
    const after = await startAgain();
    expect(await after.publish(record(5), late)).to.equal(false);
    expect(await after.read('a')).to.deep.equal({ state: 'absent' });
    expect(await putBack(after, 6)).to.equal(6);
  });

  it('asks MongoDB about an unfinished change, whatever else is published', async () => {
    const late = await createSourceDirectory({ redis, keyspace }).fence('a');
    const directory = await startAgain();
    const other = await directory.fence('a');
    expect(await directory.publish(record(6), late)).to.equal(false);
    await directory.publish(record(5), other);
    expect(await directory.read('a')).to.deep.equal({ state: 'absent' });
  });

  it('keeps the fence of one change if a later change comes too late', async () => {
    const before = createSourceDirectory({ redis, keyspace });
    const first = await before.fence('a');
    const late = await before.fence('a');
    const directory = await startAgain();
    expect(await directory.publish(record(6), late)).to.equal(false);
    expect((await directory.read('a')).state).to.equal('changing');
    expect(await directory.publish(record(5), first)).to.equal(false);
    expect(await directory.read('a')).to.deep.equal({ state: 'absent' });
  });

  it('keeps a fence from before its restart', async () => {
    await putBack(createSourceDirectory({ redis, keyspace }), 1);
    await createSourceDirectory({ redis, keyspace }).fence('a');
    const directory = await startAgain();
    expect((await directory.read('a')).state).to.equal('changing');
    expect(await putBack(directory, 1)).to.equal(undefined);
  });

  it('has no valid sources after it took the data of its replica, which had missed a change', async () => {
    const directory = createSourceDirectory({ redis, keyspace });
    await putBack(directory, 1);
    await loseWrites(server, async () => directory.publish(record(2), await directory.fence('a')));
    expect(await redis.hget(keyspace.source('a'), 'version')).to.equal('1');
    expect(await directory.read('a')).to.deep.equal({ state: 'absent' });
  });

  it('admits nothing that was verified in another run, and names the current one', async () => {
    await putBack(createSourceDirectory({ redis, keyspace }), 1);
    /** The outcomes, or the current run. */
    const admitIn = (run: string): Promise<readonly string[] | string | undefined> => {
      const admit = createAdmit({ redis, keyspace, badSignaturesPerMinute: 10 });
      const group = inputOf([{ record: record(1), tickets: [TICKET] }]);
      return admit(group, { connection: redis, run }).then(
        ({ verdicts }) => outcomes(verdicts),
        (error: ShardMoved) => error.run,
      );
    };
    const run = (await admitIn(UNKNOWN_RUN)) as string;
    expect(run).to.match(/^[0-9a-f]{40}:[0-9a-f]{40}$/);
    expect(await admitIn(run)).to.deep.equal(['admitted']);
    await startAgain();
    const next = await admitIn(run);
    expect(next)
      .to.match(/^[0-9a-f]{40}:[0-9a-f]{40}$/)
      .and.not.equal(run);
    expect(await admitIn(''), 'in any run').to.deep.equal(['duplicate']);
  });

  it('raises plan counts, never lowers them, and lets them expire', async () => {
    const planUse = createPlanUse({ redis, shards: { of: () => keyspace } });
    const key = keyspace.planUse('acc', '2026-11');
    await planUse.raise('acc', '2026-11', 7);
    await planUse.raise('acc', '2026-11', 3);
    expect(await redis.get(key)).to.equal('7');
    expect(await redis.ttl(key)).to.be.above(31 * 86_400);
  });
});
