import type { AdmittedAction } from '@sluice/contract/delivery/groups';
import type { EventWrite } from '@sluice/store/events/event-document';
import { expect } from 'chai';
import type { EventStore } from '../../services/worker/src/ports.ts';
import { StoppedWhileWaiting } from '../../services/worker/src/wait/wait-out.ts';
import { createSource, groupOf, repeated, upsert } from './support/groups.ts';
import { createPipeline } from './support/in-process.ts';
import { useTestStores } from './support/stores.ts';

describe('one bad action does not affect the others', () => {
  const stores = useTestStores();

  /** Runs a group with a spoilt second member. Returns the rows of its members in order. */
  async function runSpoilt(spoil: (action: AdmittedAction) => unknown) {
    const source = createSource();
    const [good, bad, other] = ['Yoga', 'Chess', 'Choir'].map((title) => source.admit(upsert(title, 'free')));
    const spoilt = spoil(bad as AdmittedAction);
    const group = { ...groupOf(), actions: [good, spoilt, other] };
    const pipeline = createPipeline(stores);
    expect(await pipeline.run(group)).to.equal('done');
    const rows = await stores.deliveries(source.source_id);
    return {
      spoilt,
      bad: bad as AdmittedAction,
      pipeline,
      rows: [good, bad, other].map((one) => rows.get(one?.delivery_id ?? '')),
    };
  }

  const SPOILT: Record<string, (action: AdmittedAction) => unknown> = {
    'of an unknown kind': (bad) => ({ ...bad, action: { ...bad.action, kind: 'explode' } }),
    'without an identity': (bad) => ({ ...bad, action: { kind: 'cancel' } }),
    'with an impossible date': (bad) => ({ ...bad, action: { ...bad.action, content: { ends_at: 9e15 } } }),
    'with an unknown status': (bad) => ({ ...bad, action: { ...bad.action, status: 'maybe' } }),
    'with an object instead of a text': (bad) => ({
      ...bad,
      action: { ...bad.action, content: { price: { $gt: '' } } },
    }),
    'without a sequence number': (bad) => ({ ...bad, sequence: null }),
    'that is just a text': (bad) => ({ ...bad, action: 'upsert' }),
  };

  for (const [what, spoil] of Object.entries(SPOILT)) {
    it(`fails an action ${what} and keeps it as a dead letter, and applies the others`, async () => {
      const { rows, bad, spoilt } = await runSpoilt(spoil);
      expect(rows.map((row) => row?.outcome)).to.deep.equal(['created', 'failed', 'created']);
      expect(rows[1]).to.include({ http_status: 200, code: null, request_id: bad.request_id });
      expect(rows[1]?.reason).to.be.a('string').and.not.equal('');
      const letter = await stores.deadLetters.get(bad.delivery_id);
      expect(letter?.action).to.deep.equal(JSON.parse(JSON.stringify(spoilt)));
      expect(letter?.reason).to.equal(rows[1]?.reason);
    });
  }

  it('keeps a member without an owner as a dead letter, with an id from its position', async () => {
    const source = createSource();
    const good = source.admit(upsert('Yoga', 'free'));
    const group = { ...groupOf(good), actions: [null, good, 17, { delivery_id: '12' }] };
    await createPipeline(stores).run(group);
    expect((await stores.deliveries(source.source_id)).get(good.delivery_id)?.outcome).to.equal('created');
    for (const place of [0, 2, 3]) {
      expect(await stores.deadLetters.get(`unnamed-${group.group_id}-${place}`)).not.to.equal(undefined);
    }
  });

  it('fails every action of a group of an unsupported old version, and keeps each as a dead letter', async () => {
    const source = createSource();
    const group = {
      ...groupOf(source.admit(upsert('Yoga', 'a')), source.admit(upsert('Chess', 'a'))),
      v: 0,
    };
    await createPipeline(stores).run(group);
    const rows = [...(await stores.deliveries(source.source_id)).values()];
    expect(rows.map(({ outcome }) => outcome)).to.deep.equal(['failed', 'failed']);
    expect(rows[0]?.reason).to.include('version 0');
    for (const { delivery_id } of group.actions)
      expect(await stores.deadLetters.get(delivery_id)).not.to.equal(undefined);
  });

  it('keeps a job without a group as a dead letter', async () => {
    for (const data of [undefined, null, 'text', [], { v: 1, group_id: 'grp_no_list' }]) {
      expect(await createPipeline(stores).run(data)).to.equal('done');
    }
    expect(await stores.deadLetters.get('unnamed-grp_no_list-0')).not.to.equal(undefined);
  });

  /** The store, which throws a bug when it writes the event `Chess`. `alone` handles any other write. */
  function throwing(
    alone = (writes: readonly EventWrite[]) => stores.store.events.writeEvents(writes),
  ): EventStore {
    return {
      loadPortion: (ids) => stores.store.events.loadPortion(ids),
      writeEvents: (writes) => {
        if (writes.some(({ event }) => event.identity.title === 'Chess'))
          throw new TypeError('no such property');
        return alone(writes);
      },
    };
  }

  it('fails only the action that triggers a bug, and applies the others in the order of admission', async () => {
    const source = createSource();
    const actions = ['Yoga', 'Chess', 'Choir', 'Yoga'].map((title) => source.admit(upsert(title, 'free')));
    const pipeline = createPipeline(stores, { events: throwing() });
    await pipeline.run(groupOf(...[...actions].reverse()));
    expect(pipeline.bugs.map(String), 'reported once').to.deep.equal(['TypeError: no such property']);
    const rows = await stores.deliveries(source.source_id);
    expect(actions.map(({ delivery_id }) => rows.get(delivery_id)?.outcome)).to.deep.equal([
      'created',
      'failed',
      'created',
      'updated',
    ]);
    const bad = actions[1] as AdmittedAction;
    expect((await stores.deadLetters.get(bad.delivery_id))?.action, 'as it was').to.deep.equal(bad);
  });

  it('logs the repetition of a failed request as failed, not as a duplicate', async () => {
    const source = createSource();
    const first = source.admit(upsert('Chess', 'free'));
    const again = repeated(first);
    await createPipeline(stores, { events: throwing() }).run(groupOf(first, again));
    const rows = await stores.deliveries(source.source_id);
    expect([first, again].map(({ delivery_id }) => rows.get(delivery_id)?.outcome)).to.deep.equal([
      'failed',
      'failed',
    ]);
  });

  it('returns the group and fails no action if the worker stops while it applies them one by one', async () => {
    const source = createSource();
    const actions = ['Yoga', 'Chess'].map((title) => source.admit(upsert(title, 'free')));
    const stopped = () => Promise.reject(new StoppedWhileWaiting(new Error('MongoDB is away')));
    const pipeline = createPipeline(stores, { events: throwing(stopped) });
    expect(await pipeline.run(groupOf(...actions))).to.equal('give_back');
    expect((await stores.deliveries(source.source_id)).size).to.equal(0);
    for (const { delivery_id } of actions)
      expect(await stores.deadLetters.get(delivery_id)).to.equal(undefined);
  });

  it('delays only the group of the bad action while dead letters cannot be stored', async () => {
    const source = createSource();
    const [good, bad, ...others] = Array.from({ length: 6 }, (_, n) =>
      source.admit(upsert(`event ${n}`, 'free')),
    );
    let mend = (): void => undefined;
    const mended = new Promise<void>((resolve) => {
      mend = resolve;
    });
    const pipeline = createPipeline(stores, {
      deadLetters: {
        add: async (id, letter) => {
          await mended;
          await stores.deadLetters.add(id, letter);
        },
        remove: (id) => stores.deadLetters.remove(id),
      },
    });
    // The first group gets its own run. The groups that arrive meanwhile share the next run.
    const first = pipeline.run(groupOf(good as AdmittedAction));
    let waits = true;
    const spoilt = pipeline
      .run({ ...groupOf(), actions: [{ ...bad, action: { kind: 'cancel' } }] })
      .finally(() => {
        waits = false;
      });
    const rest = others.map((action) => pipeline.run(groupOf(action)));
    expect(await Promise.all([first, ...rest])).to.deep.equal(['done', 'done', 'done', 'done', 'done']);
    expect(waits).to.equal(true);
    const logged = await stores.deliveries(source.source_id);
    expect([...logged.values()].map(({ outcome }) => outcome)).to.deep.equal(Array(5).fill('created'));

    mend();
    expect(await spoilt).to.equal('done');
    expect((await stores.deliveries(source.source_id)).get(bad?.delivery_id ?? '')?.outcome).to.equal(
      'failed',
    );
    expect(await stores.deadLetters.get(bad?.delivery_id ?? '')).not.to.equal(undefined);
  });
});
