import type { AdmittedAction } from '@sluice/contract/delivery/groups';
import type { Action } from '@sluice/contract/event/action';
import { eventIdOf } from '@sluice/contract/event/event-id';
import { expect } from 'chai';
import { eventChanges } from '../../services/worker/src/apply/event-changes.ts';
import { foldEvent } from '../../services/worker/src/apply/fold-event.ts';
import { planWork } from '../../services/worker/src/apply/plan-work.ts';
import { createFastApplier, outcomesOf } from './support/fast-applier.ts';
import { cancel, createSource, remove, upsert } from './support/groups.ts';
import { createMemoryEvents } from './support/memory-events.ts';
import { useTestStores } from './support/stores.ts';

const AT = Date.UTC(2026, 10, 27);
const withId = (action: Action, external_id: string): Action => ({ ...action, external_id });

describe('an action with an external_id', () => {
  const stores = useTestStores();
  let source: ReturnType<typeof createSource>;
  let events: ReturnType<typeof createMemoryEvents>;
  beforeEach(() => {
    source = createSource();
    events = createMemoryEvents();
  });

  const idOf = (action: Action) => eventIdOf(source.source_id, action);
  const outcomes = (...actions: Action[]) =>
    outcomesOf(
      createFastApplier(events),
      actions.map((one) => source.admit(one)),
    );
  const titles = () =>
    [...events.documents.values()].filter(({ exists }) => exists).map(({ title }) => title);
  /** The changes that the actions cause, group by group. */
  async function changes(...groups: Action[][]) {
    const all = [];
    for (const group of groups) {
      const admitted: AdmittedAction[] = group.map((one) => source.admit(one));
      const { works } = planWork(admitted);
      const stored = (await events.loadPortion(works.map(({ event_id }) => event_id))).events;
      all.push(
        works.flatMap((work) =>
          eventChanges(foldEvent(work, stored.get(work.event_id)), { revision: AT, at: AT }).map(
            ({ kind, data, previous }) => ({ kind, id: data.id, became: data.became, previous }),
          ),
        ),
      );
      await createFastApplier(events)(admitted);
    }
    return all;
  }

  it('renames and moves its event: one message, with what it was', async () => {
    const moved = {
      ...withId(upsert('Chess', '5 EUR'), 'A'),
      identity: { title: 'Chess', starts_at: 1, location: '' },
    };
    const [created, updated] = await changes([withId(upsert('Yoga', '5 EUR'), 'A')], [moved]);
    const id = idOf(moved);
    expect(created).to.deep.equal([{ kind: 'event.created', id, became: undefined, previous: undefined }]);
    expect(updated).to.deep.equal([
      {
        ...{ kind: 'event.updated', id, became: undefined },
        previous: { title: 'Yoga', starts_at: '2026-12-01T18:00:00.000Z', location: 'Ghent' },
      },
    ]);
    expect(titles()).to.deep.equal(['Chess']);
  });

  it('ends the event without one of the same content, and the one that it replaces', async () => {
    const plain = upsert('Yoga', '5 EUR');
    const other = withId(upsert('Chess', '5 EUR'), 'B');
    const own: Action = { ...upsert('Yoga', '5 EUR'), external_id: 'A', replaces: 'B' } as Action;
    const [, , replaced] = await changes([plain], [other], [own]);
    const became = idOf(own);
    expect(replaced?.map(({ previous: _, ...change }) => change)).to.deep.equal([
      { kind: 'event.created', id: became, became: undefined },
      { kind: 'event.deleted', id: idOf(plain), became },
      { kind: 'event.deleted', id: idOf(other), became },
    ]);
    expect(titles()).to.deep.equal(['Yoga']);
  });

  it('is cancelled and deleted by its id alone', async () => {
    const nameless = { title: '', starts_at: 0, location: '' };
    expect(
      await outcomes(
        withId(upsert('Yoga', '1'), 'A'),
        { kind: 'cancel', identity: nameless, external_id: 'A' },
        { kind: 'delete', identity: nameless, external_id: 'A' },
        { kind: 'cancel', identity: nameless, external_id: 'B' },
      ),
    ).to.equal('created cancelled deleted not_found');
    const [deleted] = events.documents.values();
    expect(deleted).to.include({ title: 'Yoga', external_id: 'A', exists: false });
  });

  it('does not undo what happened later, if a platform retries it', async () => {
    const at = (action: Action, occurred_at: number): Action => ({ ...withId(action, 'A'), occurred_at });
    const now = Date.now();
    expect(
      await outcomes(
        at(cancel('Yoga'), now - 1000),
        at(upsert('Yoga', '1'), now - 2000),
        at(cancel('Yoga'), now - 3000),
      ),
    ).to.equal('not_found created superseded');
    const [event] = events.documents.values();
    expect(event).to.include({ title: 'Yoga', status: 'cancelled' });
    // Of two in the same second the one that was admitted last.
    expect(await outcomes(at(upsert('Yoga', '2'), now - 1000), at(remove('Yoga'), now - 1000))).to.equal(
      'updated deleted',
    );
    // A clock that is ahead does not outlast what follows.
    expect(await outcomes(at(upsert('Yoga', '3'), now + 60_000), at(cancel('Yoga'), now + 60_000))).to.equal(
      'created cancelled',
    );
    expect(await outcomes(withId(upsert('Yoga', '4'), 'A'))).to.equal('updated');
  });

  it('ends no event without an id that is newer than it, if a platform retries it', async () => {
    const late: Action = { ...withId(upsert('Yoga', '1'), 'A'), occurred_at: Date.now() - 3_600_000 };
    expect(await outcomes(upsert('Yoga', '2'), late)).to.equal('created created');
    expect(titles()).to.deep.equal(['Yoga', 'Yoga']);
  });

  it('is not found by a cancel or delete without its id', async () => {
    expect(await outcomes(withId(upsert('Yoga', '1'), 'A'), cancel('Yoga'), remove('Yoga'))).to.equal(
      'created not_found not_found',
    );
    expect(titles()).to.deep.equal(['Yoga']);
  });

  it('writes two documents, and loads and writes each once', async () => {
    let [loads, writes] = [0, 0];
    const counting = {
      loadPortion: (ids: readonly string[]) => {
        loads += ids.length;
        return events.loadPortion(ids);
      },
      writeEvents: (all: Parameters<typeof events.writeEvents>[0]) => {
        writes += all.length;
        return events.writeEvents(all);
      },
    };
    await createFastApplier(counting)([source.admit(withId(upsert('Yoga', '1'), 'A'))]);
    expect([loads, writes]).to.deep.equal([2, 2]);
  });

  it('fails if one of its events cannot be stored, and waits if one has to publish its changes first', async () => {
    const own = source.admit(withId(upsert('Yoga', '1'), 'A'));
    const failing = createFastApplier({
      loadPortion: events.loadPortion,
      writeEvents: async (all) =>
        all.map(({ event }) =>
          event.external_id === undefined ? { status: 'rejected', reason: 'No' } : { status: 'written' },
        ),
    });
    const failed = { event_id: idOf(own.action), outcome: 'failed', reason: 'No' };
    expect((await failing([own])).of(own)).to.deep.equal(failed);
    const plain = upsert('Yoga', '1');
    await outcomes(plain);
    const full = createFastApplier({
      writeEvents: events.writeEvents,
      async loadPortion(ids) {
        const portion = await events.loadPortion(ids);
        const untold = { json: ' '.repeat(8 * 2 ** 20), at: AT, sequence: 1 };
        for (const event of portion.events.values()) Object.assign(event, { untold });
        return portion;
      },
    });
    const waits = { event_id: idOf(plain), outcome: 'waits', reason: null };
    expect((await full([own])).of(own)).to.deep.equal(waits);
  });

  it('is stored in MongoDB as in memory', async () => {
    const actions = [
      { ...withId(upsert('Yoga', '1'), 'A'), occurred_at: AT },
      upsert('Yoga', '2'),
      { ...withId(remove('Chess'), 'B'), occurred_at: AT },
      { ...withId(upsert('Chess', '2'), 'B'), occurred_at: AT - 1000 },
    ].map((one) => source.admit(one));
    await createFastApplier(events, () => AT)(actions);
    await createFastApplier(stores.store.events, () => AT)(actions);
    const ids = [...events.documents.keys()];
    const stored = await stores.store.events.loadPortion(ids);
    expect(stored.events).to.deep.equal((await events.loadPortion(ids)).events);
    expect(stored.events.size).to.equal(4);
  });
});
