import { createKeyspace } from '@sluice/admission/keyspace';
import { createSourceDirectory, type SourceDirectory } from '@sluice/admission/source-directory';
import type { SourceRecord } from '@sluice/admission/source-record';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { sharedRedisUrl, uniqueNamespace } from '../support/shared-redis.ts';

describe('admission: the source directory', () => {
  let redis: Redis;
  let directory: SourceDirectory;
  before(() => {
    redis = new Redis(sharedRedisUrl());
    directory = createSourceDirectory({ redis, keyspace: createKeyspace(uniqueNamespace()) });
  });
  after(() => redis?.disconnect());

  const record = (source_id: string, version: number): SourceRecord => ({
    source_id,
    version,
    account_id: 'acc',
    active: true,
    sealed_secret: 's',
    plan: 'unlimited',
    rate_per_second: null,
    rate_burst: null,
  });

  it('an older record never replaces a newer one', async () => {
    expect(await directory.publish(record('a', 2))).to.equal(true);
    expect(await directory.publish(record('a', 1))).to.equal(false);
    expect(await directory.read('a')).to.deep.equal({ state: 'published', record: record('a', 2) });
  });

  it('a fence is lifted by the change it was put up for, and by nothing that was read before', async () => {
    await directory.publish(record('b', 1));
    await directory.fence('b');
    expect(await directory.republish(async () => record('b', 1))).to.equal(undefined);
    expect((await directory.read('b')).state).to.equal('changing');
    expect(await directory.publish(record('b', 2))).to.equal(true);
    expect(await directory.read('b')).to.deep.equal({ state: 'published', record: record('b', 2) });
  });

  it('of two changes at once each lifts only its own fence, whichever is published first', async () => {
    await directory.publish(record('d', 1));
    await directory.fence('d');
    await directory.fence('d');
    expect(await directory.publish(record('d', 3))).to.equal(true);
    expect((await directory.read('d')).state).to.equal('changing');
    expect(await directory.publish(record('d', 2))).to.equal(false);
    expect(await directory.read('d')).to.deep.equal({ state: 'published', record: record('d', 3) });
  });

  it('what Redis has lost is not put back over a fence', async () => {
    await directory.fence('e');
    expect(await directory.republish(async () => record('e', 1))).to.equal(undefined);
    expect(await directory.publish(record('e', 2))).to.equal(true);
  });

  it('a source that was never published, and one that is only fenced, are told apart', async () => {
    expect(await directory.read('c')).to.deep.equal({ state: 'absent' });
    await directory.fence('c');
    expect((await directory.read('c')).state).to.equal('changing');
  });
});
