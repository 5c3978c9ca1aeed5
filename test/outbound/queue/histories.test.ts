import { readEntry } from '@sluice/outbound/queue/entry';
import { createMailboxes } from '@sluice/outbound/queue/mailboxes';
import { createSubscriptionDirectory } from '@sluice/outbound/queue/subscription-directory';
import { createShards } from '@sluice/redis/shards/shards';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { sharedRedisUrl, uniqueNamespace } from '../../support/shared-redis.ts';
import { seed, sized } from '../../support/size.ts';
import { withClock } from './support/clock-of-redis.ts';
import { createMailboxModel } from './support/mailbox-model.ts';
import type { Step } from './support/mailbox-step.ts';
import { overflowInMemory } from './support/overflow-in-memory.ts';
import { ACCOUNT, subscription } from './support/use-mailboxes.ts';

/** So small that most histories go over and come back. */
const TINY = { usual: 4, probed: 2, spilledAt: 2, movedAtOnce: 3, loadedRowsMs: 600_000 };
const CRASHES = [undefined, undefined, 'before', 'after'] as const;

const record = fc.constantFrom('a', 'b', 'c', 'd');
const small = fc.nat({ max: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('push' as const),
      records: fc.array(record, { minLength: 1, maxLength: 6 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('push_again' as const), which: fc.nat() }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('claim' as const), perTurn: fc.integer({ min: 1, max: 6 }) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      turn: fc.nat(),
      // 0 done, 1 given back, more: again after so many seconds.
      outcomes: fc.array(fc.constantFrom(0, 0, 0, 1, 2, 5, 60), { maxLength: 6 }),
      more: small,
      probing: fc.constantFrom(false, false, false, true),
      waitMs: fc.constantFrom(0, 0, 0, 4_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('renew' as const), turn: fc.nat() }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      ms: fc.constantFrom(1, 1_500, 11_000, 70_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pause' as const), paused: fc.boolean() }) },
);
const reordering = fc.record({ do: fc.constant('order' as const), ordered: fc.boolean() });

describe('a mailbox after any history of pushes, turns and lost turns', () => {
  let redis: Redis;
  before(() => {
    redis = new Redis(sharedRedisUrl());
  });
  after(() => redis?.disconnect());

  async function play(steps: readonly Step[], ordered: boolean, crashes?: readonly number[]) {
    const namespace = uniqueNamespace();
    const clock = withClock(redis, `${namespace}:clock`);
    await clock.set(1_790_000_000_000);
    const deps = { redis: clock.redis, shards: createShards(namespace, 1) };
    const directory = createSubscriptionDirectory(deps);
    let writes = 0;
    const overflow = overflowInMemory(() => CRASHES[crashes?.[writes++] ?? 0]);
    const mailboxes = createMailboxes(
      crashes === undefined ? deps : { ...deps, overflowStore: overflow.store, overflowLimits: TINY },
    );
    await directory.republish(ACCOUNT, async () => ({
      put: [subscription({ ordered })],
      wantsEvents: false,
    }));
    const keyspace = deps.shards.first;
    const inMongo = () => overflow.rows().map(({ entry }) => readEntry(entry));
    const model = createMailboxModel({ redis, keyspace, mailboxes, directory, clock, ordered, inMongo });
    for (const one of steps) {
      await model.run(one);
      await model.check();
    }
    await model.drain();
  }

  const histories = (steps: fc.Arbitrary<Step>, ordered: boolean) => async () =>
    fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 60 }), (history) => play(history, ordered)),
      { seed, numRuns: sized({ short: 12, middle: 300, long: 3_000 }), endOnFailure: false },
    );

  const overflowing = (ordered: boolean) => async () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 20, maxLength: 80 }),
        fc.array(fc.nat({ max: 3 }), { maxLength: 40 }),
        (history, crashes) => play(history, ordered, crashes),
      ),
      { seed, numRuns: sized({ short: 12, middle: 300, long: 3_000 }), endOnFailure: false },
    );
  for (const ordered of [false, true])
    it(
      `strands and overtakes no entry while it goes over into MongoDB and comes back, whichever process dies (ordered: ${ordered})`,
      overflowing(ordered),
    ).timeout(600_000);

  it('loses no entry and repeats none that is done', histories(step, false)).timeout(600_000);
  it('keeps the order of each record where it is ordered', histories(step, true)).timeout(600_000);
  it(
    'keeps its entries when it becomes ordered or unordered',
    histories(fc.oneof({ weight: 12, arbitrary: step }, { weight: 1, arbitrary: reordering }), false),
  ).timeout(600_000);
});
