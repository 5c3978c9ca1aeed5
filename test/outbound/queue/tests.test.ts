import { INITIAL_STATE } from '@sluice/outbound/queue/turn';
import { expect } from 'chai';
import { change, changeIds, done, subscription, useMailboxes } from './support/use-mailboxes.ts';

const ACCOUNT = 'acc_1';

describe('tests in a mailbox', () => {
  const room = useMailboxes();

  const pushTest = (id = 't1') =>
    room.mailboxes().pushTest(ACCOUNT, 'sub_1', {
      ...{ changeId: id, messageId: `msg_${id}`, recordId: 'sub_1', text: `text of ${id}` },
    });

  for (const ordered of [false, true])
    it(`takes a test before all that waits, with its text (ordered: ${ordered})`, async () => {
      await room.publishAll(subscription({ ordered }));
      await room.push(change('c1'), change('c2'));
      expect(await pushTest()).to.deep.equal({ status: 'pushed' });
      const turn = await room.claimOne();
      expect(turn.entries).to.have.length(1);
      expect(turn.entries[0]).to.include({ changeId: 't1', kind: 'webhook.test', text: 'text of t1' });
      const more = await room.settle(turn, done(turn), 10);
      if (more.status !== 'go_on') throw new Error(more.status);
      expect(changeIds(more)).to.deep.equal(['c1', 'c2']);
    });

  it('takes a test although the mailbox is probed and must wait for hours, and nothing else', async () => {
    await room.publishAll(subscription());
    await room.push(change('c1'), change('c2'));
    const first = await room.claimOne(1);
    const state = {
      ...INITIAL_STATE,
      probing: true,
      notBefore: Date.now() + 3_600_000,
      lastProbed: 'rec_c1',
    };
    const again = first.entries.map(({ number }) => ({
      ...{ number, outcome: 'again' as const, dueAt: Date.now() + 3_600_000 },
    }));
    await room.settle(first, again, 0, state);
    expect(await room.claim()).to.deep.equal([]);
    await pushTest();
    const turn = await room.claimOne();
    expect(changeIds(turn)).to.deep.equal(['t1']);
    expect(await room.settle(turn, done(turn), 10, turn.state)).to.deep.equal({ status: 'ended' });
    expect(await room.claim()).to.deep.equal([]);
  });

  it('keeps the first place of a test whose turn was lost, or that was given back', async () => {
    await room.publishAll(subscription());
    await room.push(change('c1'));
    await pushTest();
    await room.claimOne();
    await room.loseTurn();
    const turn = await room.claimOne(1);
    expect(changeIds(turn)).to.deep.equal(['t1']);
    const back = turn.entries.map(({ number }) => ({ number, outcome: 'given_back' as const }));
    await room.settle(turn, back, 0);
    expect(changeIds(await room.claimOne(1))).to.deep.equal(['t1']);
  });

  it('pushes no test to a subscription that may not be delivered to, and says why', async () => {
    expect(await pushTest()).to.deep.equal({ status: 'stopped', why: 'unpublished' });
    for (const paused of ['by_admin', 'by_client', 'key_revoked', 'deleted'] as const) {
      await room.publishAll(subscription({ paused }));
      expect(await pushTest()).to.deep.equal({ status: 'stopped', why: paused });
    }
    await room.publishAll(subscription({ version: 2, ephemeral_until: Date.now() - 1000 }));
    expect(await pushTest()).to.deep.equal({ status: 'stopped', why: 'ended' });
    await room.publishAll(subscription({ version: 3, paused: 'failing' }));
    expect(await pushTest()).to.deep.equal({ status: 'pushed' });
  });
});
