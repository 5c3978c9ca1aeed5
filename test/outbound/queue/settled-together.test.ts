import type { Settled, Turn } from '@sluice/outbound/queue/turn';
import { expect } from 'chai';
import { countCalls } from './support/count-calls.ts';
import { change, changeIds, done, subscription, useMailboxes } from './support/use-mailboxes.ts';

const named = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `sub_${prefix}${n}`);

describe('turns that are settled together', () => {
  const room = useMailboxes();
  const { publish, publishAll, push, claim, settle, loseTurn } = room;

  /** A turn with a message of each subscription. */
  async function taken(ids: readonly string[]): Promise<Map<string, Turn>> {
    await publishAll(...ids.map((subscription_id) => subscription({ subscription_id })));
    await push(change('c1', { to: ids }));
    const turns = await claim(ids.length);
    return new Map(turns.map((turn) => [turn.subscription.subscription_id, turn]));
  }
  const waitingOf = async (ids: readonly string[]) => {
    const found = await room.mailboxes().status('acc_1', ids);
    return Object.fromEntries(found.map(({ subscriptionId, waiting }) => [subscriptionId, waiting]));
  };

  it('share a script of at most 64', async () => {
    const turns = await taken(named('a', 130));
    const calls = countCalls(room.redis(), 'sluiceSettleTurns');
    const settled = await Promise.all([...turns.values()].map((turn) => settle(turn, done(turn))));
    expect(settled).to.deep.equal(settled.map(() => ({ status: 'ended' })));
    expect(calls()).to.equal(3);
    expect(Object.values(await waitingOf([...turns.keys()])).every((waiting) => waiting === 0)).to.equal(
      true,
    );
  });

  it('have each its own end: done, failed, with more, revoked, lost, removed', async () => {
    const ids = ['done', 'failed', 'more', 'revoked', 'lost', 'removed'].map((name) => `sub_${name}`);
    const turns = await taken(ids);
    await push(change('c2', { to: ['sub_more', 'sub_revoked', 'sub_lost', 'sub_failed'] }));
    await publish(subscription({ subscription_id: 'sub_revoked', version: 2, paused: 'key_revoked' }));
    const directory = room.directory();
    const fence = await directory.fence('acc_1');
    await directory.publish('acc_1', fence, { put: [], remove: ['sub_removed'], wantsEvents: false });
    await loseTurn('sub_lost');
    const [other] = await claim(1);
    expect(other?.subscription.subscription_id).to.equal('sub_lost');

    const calls = countCalls(room.redis(), 'sluiceSettleTurns');
    const dueAt = Date.now() + 60_000;
    const settled: [string, Settled][] = await Promise.all(
      [...turns].map(async ([id, turn]) => {
        const again = [{ number: 1, outcome: 'again', dueAt } as const];
        return [id, await settle(turn, id === 'sub_failed' ? again : done(turn), 10)];
      }),
    );
    expect(calls()).to.equal(1);
    const ends = settled.map(([id, end]) => [id, end.status === 'go_on' ? changeIds(end) : end.status]);
    expect(Object.fromEntries(ends)).to.deep.equal({
      ...{ sub_done: 'ended', sub_failed: ['c2'], sub_more: ['c2'] },
      ...{ sub_revoked: 'ended', sub_lost: 'lost', sub_removed: 'lost' },
    });
    // The message that was lost is with its new turn, with the next one.
    expect(await waitingOf(ids)).to.deep.equal({
      ...{ sub_done: 0, sub_failed: 2, sub_more: 1, sub_revoked: 1, sub_lost: 2 },
    });
  });

  it('are not held up by a mailbox that cannot be read', async () => {
    const turns = await taken(['sub_a', 'sub_broken', 'sub_b']);
    const key = room.keyspace().mailboxTaken('sub_broken');
    await room.redis().set(key, 'no hash');
    const ends = await Promise.all(
      [...turns].map(async ([id, turn]) => {
        const end = await settle(turn, done(turn)).then(
          ({ status }) => status,
          (error: Error) => error.message,
        );
        return [id, end];
      }),
    );
    const { sub_broken, ...others } = Object.fromEntries(ends);
    expect(others).to.deep.equal({ sub_a: 'ended', sub_b: 'ended' });
    expect(sub_broken).to.match(/^a turn was not settled: WRONGTYPE/);
  });

  for (const [field, value] of [
    ['record', 'no JSON, but a secret'],
    ['record', '{}'],
    ['state', '{'],
    ['state', 'null'],
  ] as const)
    it(`are claimed beside a mailbox whose ${field} is ${value}`, async () => {
      const ids = ['sub_a', 'sub_broken', 'sub_c'];
      await publishAll(...ids.map((subscription_id) => subscription({ subscription_id })));
      await push(...ids.map((id) => change(`of_${id}`, { to: [id] })));
      const broken = room.keyspace().mailbox('sub_broken');
      const before = await room.redis().hget(broken, field);
      await room.redis().hset(broken, field, value);

      const turns = await claim();
      expect(turns.map((turn) => [turn.subscription.subscription_id, turn.entries[0]?.text])).to.deep.equal([
        ['sub_a', 'text of of_sub_a'],
        ['sub_c', 'text of of_sub_c'],
      ]);
      expect(room.unreadable()).to.deep.equal([
        'the mailbox of sub_broken cannot be read: its record or state is damaged',
      ]);
      expect(await claim()).to.deep.equal([]);

      if (before === null) await room.redis().hdel(broken, field);
      else await room.redis().hset(broken, field, before);
      await room.redis().zadd(room.keyspace().turns, 0, 'sub_broken');
      expect((await claim()).map(changeIds)).to.deep.equal([['of_sub_broken']]);
    });

  for (const place of ['mailboxTaken', 'mailboxHeads', 'mailboxRetry', 'mailbox'] as const)
    it(`are claimed beside an ordered mailbox whose ${place} cannot be read`, async () => {
      const ids = ['sub_a', 'sub_broken', 'sub_c'];
      await publishAll(...ids.map((subscription_id) => subscription({ subscription_id, ordered: true })));
      await push(...ids.map((id) => change(`of_${id}`, { to: [id] })));
      const key = room.keyspace()[place]('sub_broken');
      const aside = `${key}:aside`;
      const redis = room.redis();
      if (place === 'mailbox') await redis.rename(key, aside);
      await redis.set(key, 'a string');

      expect((await claim()).map(changeIds)).to.deep.equal([['of_sub_a'], ['of_sub_c']]);
      expect(room.unreadable()).to.have.length(1);
      expect(room.unreadable()[0]).to.match(/^the mailbox of sub_broken cannot be read: WRONGTYPE/);
      expect(await claim(), 'it is not tried at once').to.deep.equal([]);

      await redis.del(key);
      if (place === 'mailbox') await redis.rename(aside, key);
      await loseTurn('sub_broken');
      expect((await claim()).map(changeIds)).to.deep.equal([['of_sub_broken']]);
    });

  it('all fail without Redis', async () => {
    const turns = [...(await taken(named('x', 2))).values()];
    const calls = countCalls(room.redis(), 'sluiceSettleTurns', () => Promise.reject(new Error('away')));
    const ends = await Promise.allSettled(turns.map((turn) => settle(turn, done(turn))));
    expect(ends.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(calls()).to.equal(1);
  });
});
