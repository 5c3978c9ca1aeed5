import type { EventState } from '@sluice/contract/event/event-state';
import { HOUR_MS } from '@sluice/contract/time/durations';
import { expect } from 'chai';
import { collect, firstWrite, SEQUENCE, storedEvent, upserted, useStore } from './support.ts';

const START = 1_796_144_400_000;

describe('the list of events', () => {
  const used = useStore();
  const list = (query: object = {}) =>
    collect(used.store.events.listEvents({ source_id: 'src_1', ...query }));
  const titles = async (query?: object) => (await list(query)).map(({ title }) => title);

  const deletedState: EventState = {
    content: null,
    status: null,
    deleted: SEQUENCE + 2_000_000,
    created: SEQUENCE,
  };
  const marker: EventState = {
    content: null,
    status: { sequence: SEQUENCE, value: 'cancelled' },
    deleted: null,
    created: null,
  };
  const expiresAt = Date.now() + HOUR_MS;

  before(async () => {
    await used.store.events.writeEvents([
      firstWrite(storedEvent({ title: 'third', starts_at: START + 3 * HOUR_MS })),
      firstWrite(storedEvent({ title: 'first', starts_at: START + HOUR_MS, location: '' })),
      firstWrite(storedEvent({ title: 'deleted', starts_at: START + 2 * HOUR_MS }, { state: deletedState }), {
        expiresAt,
      }),
      firstWrite(storedEvent({ title: 'marker' }, { state: marker }), { expiresAt }),
      firstWrite(storedEvent({ title: 'elsewhere' }, { source_id: 'src_2' })),
    ]);
  });

  it("lists the source's events by start time, without deleted ones", async () => {
    expect(await titles()).to.deep.equal(['first', 'third']);
    expect(await titles({ limit: 1 })).to.deep.equal(['first']);
  });

  it('includes deleted events on request, but no markers of events that never existed', async () => {
    expect(await titles({ includeDeleted: true })).to.deep.equal(['first', 'deleted', 'third']);
  });

  it('returns null for each field that an event lacks', async () => {
    const [first, deleted] = await list({ includeDeleted: true });
    expect(first).to.include({
      status: 'upcoming',
      location: null,
      description: 'A look',
      price: null,
      deleted_at: null,
    });
    expect(first).to.include({ created_at: 1_795_250_000_000, updated_at: 1_795_250_000_000 });
    expect(deleted).to.include({ status: null, description: null, ends_at: null });
    expect(deleted).to.include({
      deleted_at: 1_795_250_002_000,
      updated_at: 1_795_250_002_000,
      created_at: 1_795_250_000_000,
    });
  });

  it('is complete for a long list', async () => {
    const many = Array.from({ length: 350 }, (_, n) =>
      firstWrite(
        storedEvent(
          { title: `n${n}`, starts_at: START + n },
          { source_id: 'src_many', state: upserted(SEQUENCE + n) },
        ),
      ),
    );
    await used.store.events.writeEvents(many);
    const listed = await titles({ source_id: 'src_many' });
    expect(listed).to.deep.equal(many.map(({ event }) => event.identity.title));
  });
});
