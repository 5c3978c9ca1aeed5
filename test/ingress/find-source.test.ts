import type { DirectoryEntry } from '@sluice/admission/source-directory';
import type { SourceRecord } from '@sluice/admission/source-record';
import { newSigningSecret } from '@sluice/credentials/signing-secret';
import { createSourceFinder } from '@sluice/ingress/verify/find-source';
import { expect } from 'chai';

describe('ingress: finding a source', () => {
  it('waits for a change until the deadline of each request, also if requests share a lookup', async () => {
    const { finder, answer } = finderAnsweredByHand();
    const impatient = await finder.find('src_1', performance.now());
    expect(impatient.outcome).to.equal('unavailable');
    // Its lookup is still running, and the next request joins it.
    const joined = finder.find('src_1', performance.now() + 60_000);
    answer({ state: 'changing', retryAfterMs: 15_000 });
    answer({ state: 'published', record: RECORD });
    expect((await joined).outcome).to.equal('found');
  });

  it('repeats a lookup that began before Redis may have lost writes', async () => {
    const { finder, answer } = finderAnsweredByHand();
    const found = finder.find('src_1', performance.now() + 60_000);
    finder.forgetAll();
    answer({ state: 'published', record: RECORD });
    answer({ state: 'published', record: { ...RECORD, version: 2 } });
    expect(await found).to.have.nested.property('source.record.version', 2);
    expect(finder.cached('src_1')?.record.version).to.equal(2);
  });

  it('asks MongoDB once about an unknown id, however many requests arrive, and never about an invalid id', async () => {
    const asked: string[] = [];
    const finder = createSourceFinder({
      directory: {
        read: async () => ({ state: 'absent' }),
        republish: () => Promise.reject(new Error('there is nothing to publish')),
      },
      isStored: async (sourceId) => {
        asked.push(sourceId);
        return false;
      },
      loadFromStore: () => Promise.reject(new Error('there is no source to load')),
      restore: () => Promise.reject(new Error('there is nothing to restore')),
      openSecret: newSigningSecret,
      onError: (error) => {
        throw error;
      },
    });
    const ids = ['src_none', 'src_none', 'a b', '', 'x'.repeat(65), 'x'.repeat(64)];
    for (const id of ids)
      expect((await finder.find(id, performance.now() + 60_000)).outcome).to.equal('not_found');
    expect(asked).to.deep.equal(['src_none', 'x'.repeat(64)]);
  });
});

const RECORD = { source_id: 'src_1', account_id: 'acc_1', version: 1, active: true } as SourceRecord;

/** A finder for what Redis has. Each read waits for the next given result, in their order. */
function finderAnsweredByHand() {
  const given: DirectoryEntry[] = [];
  const waiting: ((entry: DirectoryEntry) => void)[] = [];
  const hand = (): void => {
    while (given.length > 0 && waiting.length > 0) waiting.shift()?.(given.shift() as DirectoryEntry);
  };
  const finder = createSourceFinder({
    directory: {
      read: () =>
        new Promise<DirectoryEntry>((resolve) => {
          waiting.push(resolve);
          hand();
        }),
      republish: () => Promise.reject(new Error('nothing is lost')),
    },
    isStored: () => Promise.reject(new Error('Redis has the source')),
    loadFromStore: () => Promise.reject(new Error('Redis has the source')),
    restore: () => Promise.reject(new Error('nothing is lost')),
    openSecret: newSigningSecret,
    onError: (error) => {
      throw error;
    },
  });
  return {
    finder,
    answer(entry: DirectoryEntry) {
      given.push(entry);
      hand();
    },
  };
}
