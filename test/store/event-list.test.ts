import type { EventState } from '@sluice/contract/event/event-state';
import { HOUR_MS } from '@sluice/contract/time/durations';
import { expect } from 'chai';
import { collect, firstWrite, SEQUENCE, storedEvent, upserted, useStore } from './support.ts';

const START = 1_796_144_400_000;

describe('store: the list of events', () => {
  const used = useStore();
  const titles = async (source_id: string) =>
    (await collect(used.store.events.listEvents({ source_id }))).map(({ title }) => title);

  it("has a source's events by start time, without deleted ones and markers of events that never existed", async () => {
    const expiresAt = Date.now() + HOUR_MS;
    const deleted: EventState = {
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
    await used.store.events.writeEvents([
      firstWrite(storedEvent({ title: 'second', starts_at: START + 3 * HOUR_MS })),
      firstWrite(storedEvent({ title: 'first', starts_at: START + HOUR_MS })),
      firstWrite(storedEvent({ title: 'deleted', starts_at: START }, { state: deleted }), { expiresAt }),
      firstWrite(storedEvent({ title: 'marker' }, { state: marker }), { expiresAt }),
      firstWrite(storedEvent({ title: 'elsewhere' }, { source_id: 'src_2' })),
    ]);
    expect(await titles('src_1')).to.deep.equal(['first', 'second']);
  });

  it('is complete for a long list', async () => {
    const many = Array.from({ length: 350 }, (_, n) => {
      const rest = { source_id: 'src_many', state: upserted(SEQUENCE + n) };
      return firstWrite(storedEvent({ title: `n${n}`, starts_at: START + n }, rest));
    });
    await used.store.events.writeEvents(many);
    expect(await titles('src_many')).to.deep.equal(many.map(({ event }) => event.identity.title));
  });
});
