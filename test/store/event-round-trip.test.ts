import type { EventState } from '@sluice/contract/event/event-state';
import type { StoredEvent } from '@sluice/store/events/event-document';
import { expect } from 'chai';
import fc from 'fast-check';
import { mongo } from 'mongoose';
import { firstWrite, SEQUENCE, storedEvent, useStore } from './support.ts';

const sequence = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const instant = fc.integer({ min: Date.UTC(0, 0, 1) - 1899 * 31_557_600_000, max: Date.UTC(9999, 11, 31) });
const text = fc.string({ unit: 'binary', maxLength: 40 });

const content = fc.record(
  {
    ends_at: instant,
    description: text,
    url: fc.webUrl(),
    price: text,
    recurring: fc.constantFrom('daily', 'weekly', 'monthly', 'yearly'),
  },
  { requiredKeys: [] },
);
const register = <T>(value: fc.Arbitrary<T>) => fc.option(fc.record({ sequence, value }));
const state: fc.Arbitrary<EventState> = fc.record({
  content: register(content),
  status: register(fc.constantFrom('upcoming', 'cancelled')),
  deleted: fc.option(sequence),
  created: fc.option(sequence),
}) as fc.Arbitrary<EventState>;

describe('an event in the store', () => {
  const used = useStore();

  it('is loaded exactly as it was written, for any content', async () => {
    let n = 0;
    const property = fc.asyncProperty(
      state,
      text,
      text,
      instant,
      fc.option(fc.record({ import_id: text, sequence, before: fc.option(state) }), { freq: 3 }),
      async (state, title, location, starts_at, imported) => {
        n += 1;
        const rest = { state, recent: `${SEQUENCE}:created`, ...(imported && { imported }) };
        const event = storedEvent({ title: `${n} ${title}`, location, starts_at }, rest);
        expect(await used.store.events.writeEvents([firstWrite(event)])).to.deep.equal([
          { status: 'written' },
        ]);
        const { events: loaded } = await used.store.events.loadPortion([event.event_id]);
        expect(loaded.get(event.event_id)).to.deep.equal({ ...event, revision: 1 });
      },
    );
    await fc.assert(property, { numRuns: 100 });
  });

  it('is loaded despite unknown fields, another field order or other number types of a later version', async () => {
    const event = storedEvent({ title: 'later' });
    await used.store.events.writeEvents([firstWrite(event)]);
    const events = used.mongo.db.collection<{ _id: string }>('events');
    const load = async () =>
      (await used.store.events.loadPortion([event.event_id])).events.get(event.event_id);
    const { _id, ...fields } = (await events.findOne({ _id: event.event_id })) as { _id: string };
    await events.replaceOne({ _id }, Object.fromEntries(Object.entries(fields).reverse()));
    expect(await load()).to.deep.equal({ ...event, revision: 1 });
    await events.updateOne({ _id }, { $set: { revision: mongo.Long.fromNumber(2) } });
    expect(await load()).to.deep.equal({ ...event, revision: 2 });
    await events.updateOne({ _id }, { $set: { 'state.later': 1 } });
    const { state } = (await load()) as StoredEvent;
    expect(state).to.deep.equal(event.state);
    await events.updateOne({ _id }, { $set: { color: { red: 1 }, title_2: 'x' } });
    expect(await load()).to.deep.equal({ ...event, revision: 2 });
  });

  it('is absent from the result if it is not stored', async () => {
    const nothing = { events: new Map(), unread: [] };
    expect(await used.store.events.loadPortion(['evt_none'])).to.deep.equal(nothing);
    expect(await used.store.events.loadPortion([])).to.deep.equal(nothing);
  });

  it('has the documented fields, with dates as dates', async () => {
    const event = storedEvent({ title: 'shape' });
    await used.store.events.writeEvents([firstWrite(event)]);
    const document = await used.mongo.db
      .collection<{ _id: string }>('events')
      .findOne({ _id: event.event_id });
    expect(document).to.deep.equal({
      _id: event.event_id,
      schema_version: 1,
      source_id: 'src_1',
      account_id: 'acc_1',
      title: 'shape',
      starts_at: new Date(1_796_144_400_000),
      location: 'Berlin',
      description: 'A look',
      ends_at: new Date(1_796_155_200_000),
      status: 'upcoming',
      exists: true,
      state: { content: SEQUENCE, status: SEQUENCE, deleted: null, created: SEQUENCE },
      revision: 1,
      outcomes: '',
      created_at: new Date(1_795_250_000_000),
      updated_at: new Date(1_795_250_000_000),
    });
  });
});
