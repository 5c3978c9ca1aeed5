import { REFUSING, sourceRefusing } from '@sluice/contract/message/source-refusing';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import type { PendingRecord } from '@sluice/store/pending/pending-record';
import { expect } from 'chai';
import { createWatchRefusals } from '../../services/worker/src/refusing/watch-refusals.ts';
import { delivery } from '../store/support.ts';
import { createSource } from './support/groups.ts';
import { useTestStores } from './support/stores.ts';

describe('a source that refuses many requests', () => {
  const stores = useTestStores();

  /** A source, and several workers that watch it. */
  function setUp({ wanted = true } = {}) {
    const { source_id, account_id } = createSource();
    const told: PendingRecord[] = [];
    const errors: unknown[] = [];
    const clock = { now: Date.UTC(2026, 10, 27, 12, 0, 30) };
    const watch = () =>
      createWatchRefusals({
        ...{ sourceRefusals: stores.store.sourceRefusals, now: () => clock.now },
        sources: { findSource: async () => undefined },
        isWanted: async () => wanted,
        tell: (record) => told.push(record),
        onError: (error) => errors.push(error),
      });
    const rows = (count: number, code: 'validation_failed' | 'signature_missing' = 'validation_failed') =>
      Array.from({ length: count }, () =>
        delivery({ source_id, account_id, code, outcome: 'rejected', received_at: clock.now }),
      );
    const folded = (count: number) => ({
      ...({ source_id, account_id, code: 'signature_missing', count, ended: false } as const),
      minute_ms: Math.floor(clock.now / MINUTE_MS) * MINUTE_MS,
    });
    return { source_id, account_id, told, errors, clock, watch, rows, folded };
  }

  it('is published at its 20th refusal within 5 minutes, whichever workers log them', async () => {
    const { source_id, told, errors, clock, watch, rows } = setUp();
    const [first, second] = [watch(), watch()];
    await first.logged(rows(10));
    clock.now += 2 * MINUTE_MS;
    await second.logged([...rows(8, 'signature_missing'), delivery({ source_id, code: null })]);
    expect(told).to.deep.equal([]);
    await Promise.all([first.logged(rows(1)), second.logged(rows(1))]);
    expect(errors).to.deep.equal([]);
    expect(told).to.have.length(1);
    const change = told[0]?.changes[0];
    expect(change).to.include({ kind: 'source.refusing', at: clock.now });
    const data = sourceRefusing.strict().parse(change?.data);
    expect(data).to.include({ source_id, refusals: 20, name: null });
    expect(data.codes).to.deep.equal([
      { code: 'validation_failed', count: 12 },
      { code: 'signature_missing', count: 8 },
    ]);
  });

  it('is published for 20 refusals in five minutes that lie in six minutes of the clock', async () => {
    const { told, clock, watch, rows } = setUp();
    const watching = watch();
    await watching.logged(rows(19));
    clock.now += 4 * MINUTE_MS + 55_000;
    await watching.logged(rows(1));
    expect(told).to.have.length(1);
  });

  it('is not published for refusals that are further apart', async () => {
    const { told, clock, watch, rows } = setUp();
    const watching = watch();
    for (let minute = 0; minute < 30; minute++) {
      await watching.logged(rows(3));
      clock.now += MINUTE_MS;
    }
    expect(told).to.deep.equal([]);
  });

  it('is published once an hour at most', async () => {
    const { told, clock, watch, rows } = setUp();
    const watching = watch();
    const times: number[] = [];
    const start = clock.now;
    for (; clock.now < start + 2.5 * REFUSING.quietMs; clock.now += MINUTE_MS) {
      await watching.logged(rows(25));
      if (told.length > times.length) times.push((clock.now - start) / MINUTE_MS);
    }
    expect(times).to.deep.equal([0, 60, 120]);
    const sequences = told.map(({ changes }) => changes[0]?.sequence ?? 0);
    expect(sequences).to.deep.equal([...sequences].sort((a, b) => a - b));
  });

  it('counts refusals once that several workers find in Redis', async () => {
    const { told, watch, folded } = setUp();
    const [first, second] = [watch(), watch()];
    for (const count of [5, 10, 19]) {
      await first.counted([folded(count)]);
      await second.counted([folded(count)]);
    }
    expect(told).to.deep.equal([]);
    await second.counted([folded(20)]);
    expect(told).to.have.length(1);
  });

  it('keeps the report until it is published', async () => {
    const { source_id, told, watch, rows } = setUp();
    await watch().logged(rows(20));
    const query = { collection: 'source_refusals', before: Date.now() + 1e9, limit: 100 } as const;
    const kept = async () =>
      (await stores.store.untold.pagePending(query)).records.filter(({ id }) => id === source_id);
    expect(await kept()).to.deep.equal(told);
    expect(await stores.store.untold.clearPublished(told)).to.equal(true);
    expect(await kept()).to.deep.equal([]);
  });

  it('is not counted while no subscription wants to know', async () => {
    const { source_id, account_id, told, watch, rows } = setUp({ wanted: false });
    await watch().logged(rows(100));
    expect(told).to.deep.equal([]);
    const { counts } = await stores.store.sourceRefusals.addCounts({ source_id, account_id }, [
      { minute: 1, code: 'signature_missing', count: 1 },
    ]);
    expect(counts).to.have.length(1);
  });

  it('is watched in bounded space', async () => {
    const { source_id, account_id, clock, watch, rows } = setUp();
    const watching = watch();
    for (let minute = 0; minute < 130; minute++) {
      await watching.logged(rows(1));
      clock.now += MINUTE_MS;
    }
    const { counts } = await stores.store.sourceRefusals.addCounts({ source_id, account_id }, [
      { minute: 1, code: 'signature_missing', count: 1 },
    ]);
    expect(counts.length).to.be.lessThan(60);
  });
});
