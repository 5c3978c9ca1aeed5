import type { StoredEvent } from '@sluice/store/events/event-document';
import { expect } from 'chai';
import { firstWrite, SEQUENCE, storedEvent, upserted, useStore } from './support.ts';

describe('store: guarded writes of events', () => {
  const used = useStore();
  const write = (...args: Parameters<typeof used.store.events.writeEvents>) =>
    used.store.events.writeEvents(...args);
  const load = async (id: string) => (await used.store.events.loadPortion([id])).events.get(id);

  it('increment the revision by one', async () => {
    const event = storedEvent({ title: 'revisions' });
    for (const expectedRevision of [0, 1, 2]) {
      expect(await write([firstWrite(event, { expectedRevision })])).to.deep.equal([{ status: 'written' }]);
      expect((await load(event.event_id))?.revision).to.equal(expectedRevision + 1);
    }
  });

  for (const expectedRevision of [0, 1, 3]) {
    it(`lose the race and change nothing if they expect revision ${expectedRevision} of an event at 2`, async () => {
      const event = storedEvent({ title: `stale ${expectedRevision}` });
      await write([firstWrite(event)]);
      await write([firstWrite(event, { expectedRevision: 1 })]);
      const late = { ...event, state: upserted(SEQUENCE + 5) };
      expect(await write([firstWrite(late, { expectedRevision })])).to.deep.equal([{ status: 'lost_race' }]);
      expect(await load(event.event_id)).to.deep.equal({ ...event, revision: 2 });
    });
  }

  it('never overwrite an event that another writer changed, when they replace many events at once', async () => {
    const events = Array.from({ length: 220 }, (_, n) => storedEvent({ title: `many ${n}` }));
    const contested = events[7] as StoredEvent;
    await write(events.map((event) => firstWrite(event)));
    const other = { ...contested, state: upserted(SEQUENCE + 1) };
    await write([firstWrite(other, { expectedRevision: 1 })]);
    const ours = events.map((event) => ({ ...event, state: upserted(SEQUENCE + 2) }));
    const results = await write(ours.map((event) => firstWrite(event, { expectedRevision: 1 })));
    expect(results[7]).to.deep.equal({ status: 'lost_race' });
    // Events of the same statement may be reported as lost too. A statement has at most 100 events.
    expect(results.filter(({ status }) => status === 'lost_race').length).to.be.at.most(100);
    const { events: stored } = await used.store.events.loadPortion(events.map(({ event_id }) => event_id));
    for (const event of ours) {
      const expected = event.event_id === contested.event_id ? other : event;
      expect(stored.get(event.event_id), event.identity.title).to.deep.equal({ ...expected, revision: 2 });
    }
  });

  for (const expectedRevision of [0, 1])
    it(`store exactly what they reported as written, when they race for revision ${expectedRevision} of the same events`, async () => {
      let won = 0;
      for (const [round, length] of [1, 1, 20, 20].entries()) {
        const events = Array.from({ length }, (_, n) => storedEvent({ title: `raced ${round} ${n}` }));
        const rows = events.map((one) => ({ ...one, event_id: `${one.event_id}_${expectedRevision}` }));
        if (expectedRevision === 1) await write(rows.map((event) => firstWrite(event)));
        const bulks = [1, 2, 3, 4].map((n) => rows.map((row) => ({ ...row, state: upserted(SEQUENCE + n) })));
        const results = await Promise.all(
          bulks.map((bulk) => write(bulk.map((event) => firstWrite(event, { expectedRevision })))),
        );
        for (const [place, { event_id }] of rows.entries()) {
          const stored = await load(event_id);
          expect(stored?.revision, event_id).to.equal(expectedRevision + 1);
          const winners = bulks.filter((_, n) => results[n]?.[place]?.status === 'written');
          // Only a statement that replaces many may report a win as a lost race.
          expect(winners.length).to.be.within(length > 1 && expectedRevision > 0 ? 0 : 1, 1);
          won += winners.length;
          for (const bulk of winners) expect(stored?.state).to.deep.equal(bulk[place]?.state);
        }
      }
      expect(won, 'bulk writes that reported a win').to.be.above(0);
    });

  it('return results in the order of the writes, and one bad document affects no other', async () => {
    const stale = storedEvent({ title: 'mixed stale' });
    await write([firstWrite(stale)]);
    const good = ['z', 'a', 'm'].map((title) => storedEvent({ title: `mixed ${title}` }));
    const huge = storedEvent({ title: 'mixed huge', location: 'x'.repeat(17 * 1024 * 1024) });
    const timeless = storedEvent({ title: 'mixed timeless', starts_at: Number.NaN });
    const results = await write(
      [good[0], huge, stale, good[1], timeless, good[2]].map((event) => firstWrite(event as typeof stale)),
    );
    const statuses = results.map(({ status }) => status);
    expect(statuses).to.deep.equal(['written', 'rejected', 'lost_race', 'written', 'rejected', 'written']);
    expect(results[1]).to.have.property('reason').that.contains('bytes');
    for (const event of good) expect((await load(event.event_id))?.revision).to.equal(1);
    expect(await load(huge.event_id)).to.equal(undefined);
  });

  it('create an event whose tombstone has expired since it was loaded', async () => {
    const event = storedEvent({ title: 'gone meanwhile' });
    expect(await write([firstWrite(event, { expectedRevision: 7 })])).to.deep.equal([{ status: 'written' }]);
    expect((await load(event.event_id))?.revision).to.equal(8);
  });

  it('create an event with an expired tombstone among many that are replaced', async () => {
    const [gone, ...others] = ['gone', 'kept', 'kept too'].map((title) =>
      storedEvent({ title: `among ${title}` }),
    );
    await write(others.map((event) => firstWrite(event)));
    const all = [gone as StoredEvent, ...others];
    const results = await write(all.map((event) => firstWrite(event, { expectedRevision: 1 })));
    expect(results[0]).to.deep.equal({ status: 'written' });
    for (const event of all) expect((await load(event.event_id))?.revision).to.equal(2);
  });
});
