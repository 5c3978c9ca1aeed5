import type { AdmittedAction } from '@sluice/contract/delivery/groups';
import { eventId } from '@sluice/contract/event/event-id';
import { NO_EVENT } from '@sluice/contract/event/event-state';
import type { EventWrite } from '@sluice/store/events/event-document';
import { assert, expect } from 'chai';
import fc from 'fast-check';
import { createApplyGroup, type LongRace } from '../../services/worker/src/apply/apply-group.ts';
import { fold } from '../../services/worker/src/apply/fold-action.ts';
import type { EventStore } from '../../services/worker/src/ports.ts';
import { seededRandom } from '../support/load.ts';
import { seed, sized } from '../support/size.ts';
import { createFastApplier } from './support/fast-applier.ts';
import { cancel, createSource, identity, remove, upsert } from './support/groups.ts';
import { useTestStores } from './support/stores.ts';

const TITLES = ['Yoga', 'Chess', 'Choir'] as const;

describe('applying in the order of admission, on any number of workers', function () {
  this.timeout(240_000);
  const stores = useTestStores();

  const arbitraryGroups = fc.array(
    fc.array(fc.tuple(fc.constantFrom(...TITLES), fc.constantFrom('upsert', 'cancel', 'delete')), {
      minLength: 1,
      maxLength: 12,
    }),
    { minLength: 4, maxLength: 10 },
  );

  it('ends in the in-order state when workers race for the same events', async () => {
    let rounds = 0;
    const random = seededRandom(seed);
    const property = fc.asyncProperty(arbitraryGroups, async (shape) => {
      const source = createSource();
      const groups = shape.map((group) =>
        group.map(([title, kind]) => source.admit(toAction(title, kind, random))),
      );
      // All groups at once, and each twice, as if every worker had been killed after its writes.
      const appliers = [...groups, ...groups].map((group) => createFastApplier(stores.store.events)(group));
      for (const result of await Promise.all(appliers)) rounds += result.rounds - 1;

      const ids = TITLES.map((title) => eventId(source.source_id, identity(title)));
      const { events: stored } = await stores.store.events.loadPortion(ids);
      const expected = inOrder(groups.flat());
      for (const id of ids) assert.deepEqual(stored.get(id)?.state ?? NO_EVENT, expected.get(id) ?? NO_EVENT);
    });
    await fc.assert(property, { numRuns: sized({ short: 10, middle: 25, long: 250 }), seed });
    expect(rounds, 'some races happened').to.be.above(0);
  });
});

describe('a long race', () => {
  it('is reported every hundred rounds with its events, and ends when the other writers end', async () => {
    const source = createSource();
    const group = [source.admit(upsert('Yoga', 'a')), source.admit(upsert('Chess', 'b'))];
    const yoga = eventId(source.source_id, identity('Yoga'));
    const reported: LongRace[] = [];
    let rounds = 0;
    const events: EventStore = {
      loadPortion: async () => ({ events: new Map(), unread: [] }),
      writeEvents: async (writes) => {
        rounds += 1;
        const isYoga = ({ event }: EventWrite) => event.event_id === yoga;
        return writes.map((write) => ({ status: isYoga(write) && rounds <= 250 ? 'lost_race' : 'written' }));
      },
    };
    const apply = createApplyGroup({
      events,
      backoff: async () => {},
      onLongRace: (race) => reported.push(race),
      now: Date.now,
      tombstoneMs: 0,
    });
    expect((await apply(group)).rounds).to.equal(251);
    expect(reported).to.deep.equal([
      { rounds: 100, event_ids: [yoga] },
      { rounds: 200, event_ids: [yoga] },
    ]);
  });
});

function toAction(title: string, kind: string, random: () => number) {
  if (kind === 'upsert') return upsert(title, random().toString(36));
  return kind === 'cancel' ? cancel(title) : remove(title);
}

function inOrder(actions: readonly AdmittedAction[]) {
  const states = new Map<string, typeof NO_EVENT>();
  for (const { source_id, action, sequence } of actions) {
    const id = eventId(source_id, action.identity);
    states.set(id, fold(states.get(id) ?? NO_EVENT, action, sequence).state);
  }
  return states;
}
