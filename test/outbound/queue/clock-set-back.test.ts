import { HOUR_MS, MINUTE_MS } from '@sluice/contract/time/durations';
import { createMailboxes, type Mailboxes } from '@sluice/outbound/queue/mailboxes';
import {
  createSubscriptionDirectory,
  type SubscriptionDirectory,
} from '@sluice/outbound/queue/subscription-directory';
import { INITIAL_STATE, type Result, type Turn } from '@sluice/outbound/queue/turn';
import { createShards } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { sharedRedisUrl, uniqueNamespace } from '../../support/shared-redis.ts';
import { withClock } from './support/clock-of-redis.ts';
import { ACCOUNT, change, changeIds, done, subscription } from './support/use-mailboxes.ts';

const START_MS = 1_790_000_000_000;
const TURN_MS = 10_000;
const FENCE_MS = 15_000;
/** The clock is noted every 5 s at most, so a wait may be longer by that. */
const NOTED_MS = 5_000;

describe('mailboxes: after the clock of Redis was set back by an hour', () => {
  let redis: Redis;
  let clock: ReturnType<typeof withClock>;
  let mailboxes: Mailboxes;
  let directory: SubscriptionDirectory;
  let push: (...ids: string[]) => Promise<unknown>;

  beforeEach(async () => {
    redis = new Redis(sharedRedisUrl());
    const shards = createShards(uniqueNamespace(), 1);
    clock = withClock(redis, `${shards.first.prefix}:test-clock`);
    await clock.set(START_MS);
    mailboxes = createMailboxes({ redis: clock.redis, shards });
    directory = createSubscriptionDirectory({ redis: clock.redis, shards });
    await directory.republish(ACCOUNT, async () => ({ put: [subscription()], wantsEvents: false }));
    const list = await directory.version(ACCOUNT);
    if (list.status !== 'version') throw new Error(list.status);
    push = (...ids) =>
      mailboxes.push(
        ACCOUNT,
        list.version,
        ids.map((id) => change(id)),
      );
    // The clock is noted with the first message.
    await push('c0');
    const turn = await claimOne();
    await mailboxes.settle(turn, { results: done(turn), state: INITIAL_STATE, more: 0 });
    expect(await claim()).to.deep.equal([]);
  });
  afterEach(() => redis?.disconnect());

  const claim = () => mailboxes.claim({ shard: 0, limit: 10, perTurn: 10 });
  const claimOne = async (): Promise<Turn> => {
    const [turn] = await claim();
    if (turn === undefined) throw new Error('nothing is due');
    return turn;
  };
  /** A dispatcher looks for turns after it. */
  const setBack = async () => {
    await clock.advance(-HOUR_MS);
    return claim();
  };

  it('a turn whose dispatcher has died is taken again after 10 s', async () => {
    await push('c1');
    await claimOne();
    expect(await setBack()).to.deep.equal([]);
    await clock.advance(TURN_MS - 1);
    expect(await claim()).to.deep.equal([]);
    await clock.advance(1);
    expect(changeIds(await claimOne())).to.deep.equal(['c1']);
  });

  it('what was due is taken at once', async () => {
    await push('c1');
    expect((await setBack()).map(changeIds)).to.deep.equal([['c1']]);
  });

  it('a change of a subscription whose process has died holds up its account for 15 s', async () => {
    await directory.fence(ACCOUNT);
    await clock.advance(-HOUR_MS);
    expect(await directory.version(ACCOUNT)).to.deep.equal({ status: 'fenced', waitMs: FENCE_MS });
    expect(await push('c1')).to.deep.equal({ status: 'fenced', waitMs: FENCE_MS });
    await clock.advance(FENCE_MS + 1);
    expect(await directory.version(ACCOUNT)).to.deep.equal({ status: 'absent' });
  });

  const again: Result = { number: 2, outcome: 'again', dueAt: START_MS + MINUTE_MS };
  const back: Result = { number: 2, outcome: 'given_back' };
  for (const [what, result, notBefore] of [
    ['a retry', again, 0],
    ['a mailbox that pauses', back, START_MS + MINUTE_MS],
  ] as const)
    it(`${what} waits as long as planned, or little longer`, async () => {
      await push('c1');
      const turn = await claimOne();
      const state = { ...INITIAL_STATE, notBefore };
      await mailboxes.settle(turn, { results: [result], state, more: 0, now: () => START_MS });
      await clock.advance(1_000);
      expect(await setBack()).to.deep.equal([]);
      await clock.advance(MINUTE_MS - 2_000);
      expect(await claim()).to.deep.equal([]);
      await clock.advance(1_000 + NOTED_MS);
      expect(changeIds(await claimOne())).to.deep.equal(['c1']);
    });
});
