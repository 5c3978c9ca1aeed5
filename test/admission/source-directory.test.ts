import { createSourceDirectory, type Fence, type SourceDirectory } from '@sluice/admission/source-directory';
import type { SourceRecord } from '@sluice/admission/source-record';
import { createKeyspace, type Keyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { useRedisClient } from '../support/redis-client.ts';
import { uniqueNamespace } from '../support/shared-redis.ts';
import { sourceRecord } from '../support/source-record.ts';

describe('admission: the source directory', () => {
  const redis = useRedisClient();
  let keyspace: Keyspace;
  let directory: SourceDirectory;
  before(() => {
    keyspace = createKeyspace(uniqueNamespace());
    directory = createSourceDirectory({ redis, keyspace });
  });

  const record = (source_id: string, version: number) => sourceRecord({ source_id, version });

  const load = (source: SourceRecord) => directory.republish(source, async () => source);
  /** Puts the source's hash into the state after an expired fence. */
  const runOut = async (sourceId: string, { token }: Fence, at = 1) => {
    const key = keyspace.source(sourceId);
    await redis.hset(key, `fence:${token}`, at);
    const left = await redis.hgetall(key);
    const ends = Object.entries(left).flatMap(([name, value]) => (name.startsWith('fence:') ? [+value] : []));
    await redis.hset(key, 'fenced_until', Math.max(...ends));
  };

  it('never replaces a newer record with an older one', async () => {
    const [first, second] = [await directory.fence('a'), await directory.fence('a')];
    expect(await directory.publish(record('a', 2), first)).to.equal(true);
    expect(await directory.publish(record('a', 1), second)).to.equal(false);
    expect(await load(record('a', 1))).to.equal(undefined);
    expect(await directory.read('a')).to.deep.equal({ state: 'published', record: record('a', 2) });
  });

  it('removes a fence only for its change, and for no record that was read before', async () => {
    await load(record('b', 1));
    const fence = await directory.fence('b');
    expect(await load(record('b', 1))).to.equal(undefined);
    expect((await directory.read('b')).state).to.equal('changing');
    expect(await directory.publish(record('b', 2), fence)).to.equal(true);
    expect(await directory.read('b')).to.deep.equal({ state: 'published', record: record('b', 2) });
  });

  it('removes only the fence of the published change if there are two, in any order', async () => {
    await load(record('d', 1));
    const [first, second] = [await directory.fence('d'), await directory.fence('d')];
    expect(await directory.publish(record('d', 3), second)).to.equal(true);
    expect((await directory.read('d')).state).to.equal('changing');
    expect(await directory.publish(record('d', 2), first)).to.equal(false);
    expect(await directory.read('d')).to.deep.equal({ state: 'published', record: record('d', 3) });
  });

  it('keeps the fences of other changes if a change publishes twice or late', async () => {
    await load(record('f', 1));
    const late = await directory.fence('f');
    await runOut('f', late);
    const other = await directory.fence('f');
    expect(await directory.publish(record('f', 2), late)).to.equal(true);
    expect(await directory.publish(record('f', 2), late)).to.equal(true);
    expect((await directory.read('f')).state).to.equal('changing');
    expect(await directory.publish(record('f', 3), other)).to.equal(true);
    expect(await directory.read('f')).to.deep.equal({ state: 'published', record: record('f', 3) });
  });

  it('asks MongoDB after an unpublished change, whatever another change publishes meanwhile', async () => {
    await load(record('g', 1));
    const killed = await directory.fence('g');
    const other = await directory.fence('g');
    await runOut('g', killed);
    expect(await directory.publish(record('g', 2), other)).to.equal(true);
    expect((await directory.read('g')).state).to.equal('absent');
    expect(await load(record('g', 3))).to.deep.equal(record('g', 3));
    expect((await directory.read('g')).state).to.equal('published');
  });

  it('does not store a record that was read during a change, even after its fence has expired', async () => {
    const killed = await directory.fence('h');
    expect(await load(record('h', 1))).to.equal(undefined);
    await runOut('h', killed);
    const early = directory.republish(record('h', 1), async () => {
      await runOut('h', await directory.fence('h'), 2);
      return record('h', 1);
    });
    expect(await early).to.equal(undefined);
    expect(await load(record('h', 2))).to.deep.equal(record('h', 2));
  });

  it('does not store a lost source over a fence', async () => {
    const fence = await directory.fence('e');
    expect(await load(record('e', 1))).to.equal(undefined);
    expect(await directory.publish(record('e', 2), fence)).to.equal(true);
  });

  it('keeps a fence longer than a write to MongoDB can take', async () => {
    await directory.fence('j');
    const entry = await directory.read('j');
    // The timeouts of a write add up to 10 s (source-directory.ts), and a killed process blocks no one for over 15 s.
    expect('retryAfterMs' in entry && entry.retryAfterMs).to.be.within(10_001, 15_000);
  });

  it('distinguishes a source that was never published from one that only has a fence', async () => {
    expect(await directory.read('c')).to.deep.equal({ state: 'absent' });
    await directory.fence('c');
    expect((await directory.read('c')).state).to.equal('changing');
  });
});
