import { REMEMBERED_MS } from '@sluice/outbound/queue/limits';
import { createMailboxes } from '@sluice/outbound/queue/mailboxes';
import type { PushedChange } from '@sluice/outbound/queue/push';
import { stepsOf } from '@sluice/outbound/queue/push';
import { createSubscriptionDirectory } from '@sluice/outbound/queue/subscription-directory';
import { expect } from 'chai';
import { withClock } from './support/clock-of-redis.ts';
import { countCalls } from './support/count-calls.ts';
import { ACCOUNT, change, changeIds, done, subscription, useMailboxes } from './support/use-mailboxes.ts';

describe('a push into mailboxes', () => {
  const room = useMailboxes();
  const { publishAll, push, claim, claimOne, settle } = room;

  it('puts a change there once, however often it is repeated', async () => {
    await publishAll(subscription());
    await push(change('c1'));
    await push(change('c1'), change('c2'));
    const turn = await claimOne();
    expect(changeIds(turn)).to.deep.equal(['c1', 'c2']);
    await settle(turn, done(turn));
    await push(change('c1'));
    expect(await claim()).to.deep.equal([]);
  });

  it('puts a change there again once it is forgotten', async () => {
    await publishAll(subscription());
    await push(change('c1'));
    const turn = await claimOne();
    await settle(turn, done(turn));
    await room.mailboxes().forget(ACCOUNT, [{ changeId: 'c1', to: ['sub_1'] }]);
    expect(await room.redis().exists(room.keyspace().mailboxIds('sub_1'))).to.equal(0);
    await push(change('c1'));
    expect(changeIds(await claimOne())).to.deep.equal(['c1']);
  });

  it('rejects an id or kind that would break an entry, and stores nothing', async () => {
    await publishAll(subscription());
    const message = { subscriptionId: 'sub_1', messageId: 'msg|1' };
    const bad = [{ changeId: 'c|1' }, { kind: 'lead|created' }, { recordId: 'rec|1' }, { to: [message] }];
    for (const part of bad) {
      const pushed = push({ ...change('c1'), ...part }).catch(({ message: text }: Error) => text);
      expect(await pushed, JSON.stringify(part)).to.match(/contains \|/);
    }
    expect(await claim()).to.deep.equal([]);
  });

  it('forgets changes with many subscriptions in steps of 1,000 entries', async () => {
    const to = Array.from({ length: 1_600 }, (_, n) => `sub_${n}`);
    const steps = countCalls(room.redis(), 'sluiceForget');
    await room.mailboxes().forget(ACCOUNT, [
      { changeId: 'c1', to },
      { changeId: 'c2', to: to.slice(0, 900) },
    ]);
    expect(steps()).to.equal(3);
  });

  it('forgets in a busy mailbox a day later what a process that died has left', async () => {
    const clock = withClock(room.redis(), `${room.keyspace().prefix}:clock`);
    await clock.set(Date.now());
    const deps = { redis: clock.redis, shards: room.shards() };
    const [mailboxes, directory] = [createMailboxes(deps), createSubscriptionDirectory(deps)];
    await directory.republish(ACCOUNT, async () => ({ put: [subscription()], wantsEvents: false }));
    const pushed = async (...ids: string[]) => {
      const list = await directory.version(ACCOUNT);
      if (list.status !== 'version') throw new Error(list.status);
      await mailboxes.push(
        ACCOUNT,
        list.version,
        ids.map((id) => change(id)),
      );
    };
    const forget = (changeId: string) => mailboxes.forget(ACCOUNT, [{ changeId, to: ['sub_1'] }]);
    const remembered = () => room.redis().hkeys(room.keyspace().mailboxIds('sub_1'));
    await pushed('left', 'c1');
    await forget('c1');
    await clock.advance(REMEMBERED_MS - 1);
    await pushed('c2', 'late');
    await forget('c2');
    expect(await remembered()).to.have.members(['left', 'late']);
    await clock.advance(1);
    await pushed('c3');
    await forget('c3');
    expect(await remembered()).to.deep.equal(['late']);
    await clock.advance(REMEMBERED_MS);
    await forget('c3');
    expect(await remembered()).to.deep.equal([]);
  });

  it('sends a message once more on request, whatever the mailbox remembers', async () => {
    await publishAll(subscription());
    await push(change('c1'), change('c2'));
    const turn = await claimOne(1);
    await settle(turn, done(turn));
    const again = { changeId: 'c1', messageId: 'msg_c1_sub_1', kind: 'lead.created', recordId: 'rec_c1' };
    await room.mailboxes().pushRedelivery(ACCOUNT, 'sub_1', again);
    const next = await claimOne();
    expect(changeIds(next)).to.deep.equal(['c1']);
    expect(next.entries[0]).to.include({ ...again, redelivery: true, text: 'text of c1' });
  });

  it('reaches each subscription with its own numbers', async () => {
    await publishAll(subscription(), subscription({ subscription_id: 'sub_2' }));
    await push(change('c1', { to: ['sub_2'] }), change('c2', { to: ['sub_1', 'sub_2'] }));
    const turns = await claim();
    const found = turns.map((turn) => [turn.subscription.subscription_id, ...changeIds(turn)]);
    expect(found.sort()).to.deep.equal([
      ['sub_1', 'c2'],
      ['sub_2', 'c1', 'c2'],
    ]);
  });

  it('is divided into steps of at most 1,000 entries', () => {
    const to = Array.from({ length: 700 }, (_, index) => `sub_${index}`);
    const steps = [...stepsOf([change('c1', { to }), change('c2', { to }), change('c3', { to: ['sub_1'] })])];
    const size = (step: readonly PushedChange[]) =>
      step.map(({ changeId, to: { length } }) => [changeId, length]);
    expect(steps.map(size)).to.deep.equal([
      [
        ['c1', 700],
        ['c2', 300],
      ],
      [
        ['c2', 400],
        ['c3', 1],
      ],
    ]);
  });

  it('is divided into steps of at most 1 MiB of text', () => {
    const large = (changeId: string, length: number) => ({
      ...change(changeId, { to: ['sub_1', 'sub_2'] }),
      text: 'x'.repeat(length),
    });
    const half = 512 * 1024;
    const steps = [...stepsOf([large('c1', half), large('c2', half), large('c3', 1), large('c4', 3 * half)])];
    const ids = steps.map((step) => step.map(({ changeId }) => changeId));
    expect(ids).to.deep.equal([['c1', 'c2'], ['c3'], ['c4']]);
  });
});
