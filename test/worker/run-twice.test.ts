import { eventId } from '@sluice/contract/event/event-id';
import { expect } from 'chai';
import type { DeliveryLog } from '../../services/worker/src/ports.ts';
import { cancel, createSource, groupOf, identity, remove, repeated, upsert } from './support/groups.ts';
import { createPipeline } from './support/in-process.ts';
import { useTestStores } from './support/stores.ts';

describe('a job that runs twice leaves the same state and log as one run', () => {
  const stores = useTestStores();

  /** A group with all kinds of actions, a repeated request, and a failing action. */
  function everything() {
    const source = createSource();
    const first = source.admit(upsert('Yoga', 'a'));
    const kinds = [
      upsert('Yoga', 'b'),
      cancel('Yoga'),
      upsert('Chess', 'a'),
      remove('Chess'),
      cancel('Nothing'),
    ];
    const actions = [first, ...kinds.map((kind) => source.admit(kind)), repeated(first)];
    const bad = { ...source.admit(cancel('Bad')), action: { kind: 'explode' } };
    return { source, actions, group: { ...groupOf(), actions: [...actions, bad] }, bad };
  }

  const EXPECTED = [
    'created',
    'updated',
    'cancelled',
    'created',
    'deleted',
    'not_found',
    'duplicate',
    'failed',
  ];

  async function outcomes(source_id: string, ids: readonly string[]) {
    const rows = await stores.deliveries(source_id);
    expect(rows.size).to.equal(ids.length);
    return ids.map((id) => rows.get(id)?.outcome);
  }

  async function events(source_id: string) {
    const ids = ['Yoga', 'Chess'].map((title) => eventId(source_id, identity(title)));
    return (await stores.store.events.loadPortion(ids)).events;
  }

  it('after it was finished', async () => {
    const { source, group } = everything();
    const ids = group.actions.map(({ delivery_id }) => delivery_id);
    await createPipeline(stores).run(group);
    const before = {
      outcomes: await outcomes(source.source_id, ids),
      events: await events(source.source_id),
    };
    expect(before.outcomes).to.deep.equal(EXPECTED);
    await createPipeline(stores).run(group);
    expect({
      outcomes: await outcomes(source.source_id, ids),
      events: await events(source.source_id),
    }).to.deep.equal(before);
  });

  it('after it was interrupted between the events and the log', async () => {
    const { source, group, bad } = everything();
    const lost: DeliveryLog = {
      insertDeliveries: () => Promise.reject(new Error('cut off')),
      replaceDelivery: () => Promise.reject(new Error('cut off')),
    };
    const failure = await createPipeline(stores, { log: lost })
      .run(group)
      .catch((error: unknown) => error);
    expect(failure).to.be.an('error');
    expect((await stores.deliveries(source.source_id)).size).to.equal(0);

    await createPipeline(stores).run(group);
    const ids = group.actions.map(({ delivery_id }) => delivery_id);
    expect(await outcomes(source.source_id, ids)).to.deep.equal(EXPECTED);
    const letters = (await stores.deadLetters.list(1000)).filter(
      ({ delivery_id }) => delivery_id === bad.delivery_id,
    );
    expect(letters, 'the dead letter is there once').to.have.length(1);
  });

  it('with the actual outcome for the first request, even if its repetition was applied before it', async () => {
    const source = createSource();
    const first = source.admit(upsert('Yoga', 'a'));
    const again = repeated(first);
    await createPipeline(stores).run(groupOf(again));
    await createPipeline(stores).run(groupOf(first));
    expect(await outcomes(source.source_id, [again.delivery_id, first.delivery_id])).to.deep.equal([
      'duplicate',
      'created',
    ]);
  });
});
