import { createHash } from 'node:crypto';
import type { AdmittedAction } from '@sluice/contract/delivery/groups';
import type { Action } from '@sluice/contract/event/action';
import { eventIdOf } from '@sluice/contract/event/event-id';
import { assert } from 'chai';
import fc from 'fast-check';
import { sized } from '../support/size.ts';
import { createFastApplier } from './support/fast-applier.ts';
import { createMemoryEvents, Killed, type MemoryEvents } from './support/memory-events.ts';

const RUNS = { numRuns: sized({ short: 300, middle: 3_000, long: 30_000 }) };
const NOW = Date.UTC(2026, 11, 1);
const source = { source_id: 'src_1', account_id: 'acc_1' };

const CONTENTS = ['Yoga', 'Chess', 'Choir'].map((title, day) => ({
  title,
  starts_at: Date.UTC(2027, 0, day + 1),
  location: 'Ghent',
}));
const IDS = ['a', 'b', 'c'];

const action: fc.Arbitrary<Action> = fc
  .record({
    kind: fc.constantFrom('upsert', 'upsert', 'cancel', 'delete'),
    identity: fc.constantFrom(...CONTENTS),
    external_id: fc.option(fc.constantFrom(...IDS), { nil: undefined, freq: 3 }),
    replaces: fc.option(fc.constantFrom(...IDS), { nil: undefined, freq: 2 }),
    price: fc.constantFrom('1', '2'),
    status: fc.constantFrom('upcoming', 'upcoming', 'cancelled'),
    // Equal times, and one after the sequence numbers: a sender's clock that is ahead.
    occurred_at: fc.constantFrom(undefined, undefined, 1, 2, 3, 99),
  })
  .map(({ kind, identity, external_id, replaces, price, status, occurred_at }): Action => {
    const id =
      external_id === undefined ? {} : { external_id, ...(occurred_at !== undefined && { occurred_at }) };
    if (kind !== 'upsert') return { kind, identity, ...id };
    const other = external_id === undefined || replaces === external_id ? undefined : replaces;
    return {
      ...{ kind, identity, content: { price }, status, ...id },
      ...(other !== undefined && { replaces: other }),
    };
  });

const history = fc
  .array(action, { minLength: 1, maxLength: 12 })
  .map((actions) => actions.map((one, index) => admitted(one, 5000 + index)));

function admitted(one: Action, sequence: number): AdmittedAction {
  const ids = { ...source, delivery_id: `dlv_${sequence}`, request_id: `req_${sequence}` };
  return { ...ids, sequence, received_at: NOW, duplicate_of: null, action: one };
}

/** The same actions in another order and with repetitions, in groups. */
const disorder = history.chain((actions) =>
  fc.record({
    actions: fc.constant(actions),
    groups: fc
      .tuple(fc.array(fc.constantFrom(...actions), { maxLength: 6 }), fc.array(fc.nat(18), { maxLength: 5 }))
      .chain(([again, cuts]) => {
        const every = [...actions, ...again];
        return fc.shuffledSubarray(every, { minLength: every.length }).map((shuffled) => cut(shuffled, cuts));
      }),
  }),
);

function cut<T>(list: readonly T[], cuts: readonly number[]): T[][] {
  const places = [0, ...cuts.filter((at) => at < list.length).sort((a, b) => a - b), list.length];
  return places.slice(1).map((end, index) => list.slice(places[index], end));
}

async function apply(groups: readonly (readonly AdmittedAction[])[], events = createMemoryEvents()) {
  for (const group of groups) {
    const run = () => createFastApplier(events, () => NOW)(group);
    // The job of a worker that died runs again as a whole.
    await run().catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
      return run();
    });
  }
  return events;
}

/** Without what depends on how often an event was written. */
function shapeOf({ documents }: MemoryEvents) {
  return Object.fromEntries(
    [...documents].map(([id, { revision: _, outcomes: _outcomes, ...document }]) => [id, document]),
  );
}

/** The events that exist, by the rule alone: the last of the actions that address an event decides. */
function existing(actions: readonly AdmittedAction[]): [string, string][] {
  const effects: { id: string; title: string | undefined; first: number; sequence: number }[] = [];
  for (const { action: one, sequence } of actions) {
    const { identity, occurred_at = Number.POSITIVE_INFINITY } = one;
    const first = Math.min(occurred_at * 1000, sequence);
    const idOf = (id?: string) =>
      eventIdOf(source.source_id, { identity, ...(id !== undefined && { external_id: id }) });
    const add = (id: string, title?: string) => effects.push({ id, title, first, sequence });
    if (one.kind === 'delete') add(idOf(one.external_id));
    if (one.kind !== 'upsert') continue;
    add(idOf(one.external_id), identity.title);
    if (one.external_id !== undefined) add(idOf());
    if (one.replaces !== undefined) add(idOf(one.replaces));
  }
  const events = new Map<string, string>();
  for (const { id, title } of effects.sort((a, b) => a.first - b.first || a.sequence - b.sequence)) {
    if (title === undefined) events.delete(id);
    else events.set(id, title);
  }
  return [...events];
}

describe('events with an external_id', () => {
  it('end in the same documents for every order, repetition and grouping of the same actions', async () => {
    await fc.assert(
      fc.asyncProperty(disorder, async ({ actions, groups }) => {
        const inOrder = await apply(actions.map((one) => [one]));
        assert.deepEqual(shapeOf(await apply(groups)), shapeOf(inOrder));
        const there = [...inOrder.documents.values()].filter(({ exists }) => exists);
        assert.sameDeepMembers(
          there.map(({ _id, title }) => [_id, title]),
          existing(actions),
        );
      }),
      RUNS,
    );
  });

  it('end in the same documents if the worker dies at any write, and its job runs again', async () => {
    await fc.assert(
      fc.asyncProperty(disorder, fc.nat(30), async ({ actions, groups }, diesAfter) => {
        const killed = await apply(groups, createMemoryEvents(diesAfter));
        assert.deepEqual(shapeOf(killed), shapeOf(await apply([actions])));
      }),
      RUNS,
    );
  });

  it('report the outcome of the event with the id, the same for a job that runs again', async () => {
    await fc.assert(
      fc.asyncProperty(disorder, async ({ groups }) => {
        const events = createMemoryEvents();
        for (const group of groups) {
          const run = async () => {
            const result = await createFastApplier(events, () => NOW)(group);
            return group.map((one) => result.of(one));
          };
          const first = await run();
          assert.deepEqual(await run(), first);
          const ids = group.map((one) => eventIdOf(source.source_id, one.action));
          assert.deepEqual(
            first.map(({ event_id }) => event_id),
            ids,
          );
        }
      }),
      RUNS,
    );
  });

  it('leave the documents of actions without one as 0.2.0 wrote them, byte for byte', async () => {
    // A made-up trace that never changes. The digest is that of 0.2.0.
    const kinds = ['upsert', 'upsert', 'cancel', 'delete'] as const;
    let seed = 7;
    const next = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * below);
    };
    const events = createMemoryEvents();
    for (let group = 0; group < 100; group += 1) {
      const actions = Array.from({ length: 1 + next(4) }, (_, index) => {
        const kind = kinds[next(4)] ?? 'upsert';
        const identity = CONTENTS[next(3)] as (typeof CONTENTS)[number];
        const content = { price: String(next(9)), ends_at: identity.starts_at + next(9) };
        const one: Action =
          kind === 'upsert' ? { kind, identity, content, status: 'upcoming' } : { kind, identity };
        return admitted(one, 1 + group * 10 + next(5) * 3 + index);
      });
      await apply([actions], events);
    }
    const text = JSON.stringify([...events.documents]);
    assert.equal(createHash('sha256').update(text).digest('hex'), DIGEST);
  });
});

const DIGEST = '7458833ad865dfe6feb598b94fb233f45d56243cb80c91c7110af1955f9e1047';
