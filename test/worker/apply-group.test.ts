import type { AdmittedAction } from '@sluice/contract/delivery/groups';
import { eventId } from '@sluice/contract/event/event-id';
import type { EventWrite } from '@sluice/store/events/event-document';
import { assert, expect } from 'chai';
import type { EventStore } from '../../services/worker/src/ports.ts';
import { createFastApplier, interrupted, outcomesOf, TOMBSTONE_MS } from './support/fast-applier.ts';
import { cancel, createSource, remove, upsert } from './support/groups.ts';
import { useTestStores } from './support/stores.ts';

describe('applying a group', () => {
  const stores = useTestStores();
  let events: EventStore;
  before(() => {
    events = stores.store.events;
  });

  /** The store, which also counts round trips and records writes. */
  function counting(): EventStore & { loads: number; writes: EventWrite[][] } {
    const counted = {
      loads: 0,
      writes: [] as EventWrite[][],
      loadPortion: (ids: readonly string[]) => {
        counted.loads += 1;
        return events.loadPortion(ids);
      },
      writeEvents: (writes: readonly EventWrite[]) => {
        counted.writes.push([...writes]);
        return events.writeEvents(writes);
      },
    };
    return counted;
  }

  async function load(action: AdmittedAction) {
    const id = eventId(action.source_id, action.action.identity);
    return (await stores.store.events.loadPortion([id])).events.get(id);
  }

  it('takes one find and one bulk write for any number of actions and events', async () => {
    const source = createSource();
    const store = counting();
    const actions = Array.from({ length: 300 }, (_, n) => source.admit(upsert(`Event ${n % 40}`, String(n))));
    const outcomes = (await outcomesOf(createFastApplier(store), actions)).split(' ');
    expect(outcomes.filter((outcome) => outcome === 'created')).to.have.length(40);
    expect(outcomes.filter((outcome) => outcome === 'updated')).to.have.length(260);
    expect([store.loads, store.writes.length, store.writes[0]?.length]).to.deep.equal([1, 1, 40]);
  });

  it('folds the actions of a group in the order of admission, whatever their order in the group', async () => {
    const source = createSource();
    const actions = [upsert('Yoga', 'a'), cancel('Yoga'), remove('Yoga'), upsert('Yoga', 'b')].map((a) =>
      source.admit(a),
    );
    const outcomes = await outcomesOf(createFastApplier(events), [...actions].reverse());
    expect(outcomes).to.equal('created deleted cancelled created');
  });

  it('changes nothing and reports the same outcomes when the group is applied again', async () => {
    const source = createSource();
    const store = counting();
    const apply = createFastApplier(store);
    const kinds = [
      upsert('Yoga', 'a'),
      upsert('Yoga', 'b'),
      cancel('Yoga'),
      cancel('Chess'),
      remove('Choir'),
    ];
    const actions = kinds.map((kind) => source.admit(kind));
    const first = await outcomesOf(apply, actions);
    expect(first).to.equal('created updated cancelled not_found not_found');
    const before = await load(actions[0] as AdmittedAction);
    expect(await outcomesOf(apply, actions)).to.equal(first);
    assert.deepEqual(await load(actions[0] as AdmittedAction), before);
    expect(store.writes, 'nothing was written again').to.have.length(1);
  });

  it('reports the same outcomes even after another group has changed the event', async () => {
    const source = createSource();
    const apply = createFastApplier(events);
    const [first, second] = [source.admit(upsert('Yoga', 'a')), source.admit(upsert('Yoga', 'b'))];
    expect(await outcomesOf(apply, [first])).to.equal('created');
    expect(await outcomesOf(apply, [second])).to.equal('updated');
    expect(await outcomesOf(apply, [first])).to.equal('created');
  });

  it('remembers exactly the outcomes of the last group and the 32 written before it', async () => {
    const source = createSource();
    const apply = createFastApplier(events);
    const big = Array.from({ length: 50 }, (_, n) => source.admit(upsert('Yoga', String(n))));
    await apply(big);
    expect((await load(big[0] as AdmittedAction))?.recent.split(' ')).to.have.length(50);
    const next = source.admit(cancel('Yoga'));
    await apply([next]);
    const recent = (await load(next))?.recent.split(' ') ?? [];
    expect(recent).to.have.length(33);
    expect(recent.at(-1)).to.equal(`${next.sequence}:cancelled`);
  });

  it('sets an expiry on tombstones and markers, but not on events', async () => {
    const source = createSource();
    const store = counting();
    const apply = createFastApplier(store, () => 5_000_000);
    await apply([source.admit(upsert('Yoga', 'a')), source.admit(cancel('Chess'))]);
    await apply([source.admit(remove('Yoga'))]);
    const expiries = store.writes.flat().map(({ event, expiresAt }) => [event.identity.title, expiresAt]);
    const later = 5_000_000 + TOMBSTONE_MS;
    expect(expiries).to.deep.equal([
      ['Yoga', null],
      ['Chess', later],
      ['Yoga', later],
    ]);
  });

  it('never overwrites what another group wrote since the load, not even within one millisecond', async () => {
    const source = createSource();
    const [first, second, third] = ['a', 'b', 'c'].map((price) => source.admit(upsert('Yoga', price))) as [
      AdmittedAction,
      AdmittedAction,
      AdmittedAction,
    ];
    const apply = createFastApplier(events, () => 5_000_000);
    await apply([first]);
    const late = createFastApplier(
      interrupted(events, () => apply([third])),
      () => 5_000_000,
    );
    expect(await outcomesOf(late, [second])).to.equal('superseded');
    expect((await load(first))?.state.content?.value).to.deep.equal({ price: 'c' });
  });
});
