import type { AdmittedAction } from '@sluice/contract/delivery/groups';
import { eventId } from '@sluice/contract/event/event-id';
import type { EventWrite } from '@sluice/store/events/event-document';
import { expect } from 'chai';
import type { EventStore } from '../../services/worker/src/ports.ts';
import { createFastApplier } from './support/fast-applier.ts';
import { cancel, createSource, upsert } from './support/groups.ts';
import { useTestStores } from './support/stores.ts';

describe('applying actions that the store rejects', () => {
  const stores = useTestStores();
  let events: EventStore;
  before(() => {
    events = stores.store.events;
  });

  async function load(action: AdmittedAction) {
    const id = eventId(action.source_id, action.action.identity);
    return (await stores.store.events.loadPortion([id])).events.get(id);
  }

  /** The store, which rejects events with the price `poison`. */
  function refusing(beforeWrite: (writes: number) => Promise<unknown> = async () => undefined): EventStore {
    let calls = 0;
    return {
      loadPortion: (ids) => events.loadPortion(ids),
      async writeEvents(writes) {
        calls += 1;
        await beforeWrite(calls);
        const bad = ({ event }: EventWrite) => event.state.content?.value.price === 'poison';
        const good = writes.filter((write) => !bad(write));
        const results = good.length === 0 ? [] : [...(await events.writeEvents(good))];
        return writes.map((write) =>
          bad(write) ? { status: 'rejected', reason: 'no poison here' } : (results.shift() as never),
        );
      },
    };
  }

  it('fails only the action that can never be stored, and applies all others of its event and group', async () => {
    const source = createSource();
    const prices = ['a', 'b', 'poison'];
    const actions = [
      ...prices.map((price) => upsert('Yoga', price)),
      cancel('Yoga'),
      upsert('Chess', 'a'),
    ].map((a) => source.admit(a));
    const result = await createFastApplier(refusing())(actions);
    expect(actions.map((action) => result.of(action).outcome)).to.deep.equal([
      'created',
      'updated',
      'failed',
      'cancelled',
      'created',
    ]);
    expect(result.of(actions[2] as AdmittedAction).reason).to.equal('no poison here');
    const { state } = (await load(actions[0] as AdmittedAction)) ?? {};
    expect([state?.content?.value, state?.status?.value]).to.deep.equal([{ price: 'b' }, 'cancelled']);
  });

  it('applies the others even if another group writes their event meanwhile', async () => {
    const source = createSource();
    const other = source.admit(upsert('Yoga', 'of another group'));
    const kinds = [upsert('Yoga', 'a'), upsert('Yoga', 'poison'), cancel('Yoga')];
    const actions = kinds.map((kind) => source.admit(kind));
    // The second write contains only the first action, because the write of all actions was rejected.
    const store = refusing(async (writes) => writes === 2 && createFastApplier(events)([other]));
    const result = await createFastApplier(store)(actions);
    expect(actions.map((action) => result.of(action).outcome)).to.deep.equal([
      'updated',
      'failed',
      'cancelled',
    ]);
  });
});
