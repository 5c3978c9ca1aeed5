import { HOUR_MS } from '@sluice/contract/time/durations';
import { expect } from 'chai';
import { ACCOUNT, change, changeIds, done, subscription, useMailboxes } from './support/use-mailboxes.ts';

describe('redeliveries in a mailbox', () => {
  const room = useMailboxes();
  const { publishAll, publish, push, claim, claimOne, settle } = room;

  const redeliver = (id: string, recordId = `rec_${id}`) =>
    room.mailboxes().pushRedelivery(ACCOUNT, 'sub_1', {
      ...{ changeId: id, messageId: `msg_${id}_sub_1`, kind: 'lead.created', recordId },
    });
  const again = (number: number, inMs = HOUR_MS) =>
    ({ number, outcome: 'again', dueAt: Date.now() + inMs }) as const;
  const waiting = async () =>
    (await room.mailboxes().list(ACCOUNT, 'sub_1', { after: 0, limit: 100 })).map(
      ({ changeId, redelivery }) => (redelivery ? `${changeId} again` : changeId),
    );

  for (const ordered of [false, true])
    it(`drops the message where it waits once its redelivery was delivered (ordered: ${ordered})`, async () => {
      await publishAll(subscription({ ordered }));
      await push(change('c1', { recordId: 'a' }), change('c2', { recordId: 'a' }));
      const first = await claimOne();
      await settle(
        first,
        first.entries.map(({ number }) => again(number)),
      );
      await redeliver('c1', 'a');
      const turn = await claimOne();
      const next = await settle(turn, [{ number: turn.entries[0]?.number ?? 0, outcome: 'resent' }], 10);
      // The messages that an ordered mailbox held behind it go on at once.
      expect(next.status === 'go_on' ? changeIds(next) : []).to.deep.equal(ordered ? ['c2'] : []);
      expect(await waiting()).to.deep.equal(['c2']);
    });

  it('does not release what an ordered mailbox holds behind another message of the record', async () => {
    await publishAll(subscription({ ordered: true }));
    await push(change('old', { recordId: 'a' }));
    const delivered = await claimOne();
    await settle(delivered, done(delivered));
    await push(change('a1', { recordId: 'a' }), change('a2', { recordId: 'a' }));
    const first = await claimOne();
    await settle(first, [again(first.entries[0]?.number ?? 0)], 10);
    for (const outcome of ['resent', 'done'] as const) {
      expect(await redeliver('old', 'a')).to.equal('pushed');
      const turn = await claimOne();
      expect(changeIds(turn)).to.deep.equal(['old']);
      const settled = await settle(turn, [{ number: turn.entries[0]?.number ?? 0, outcome }], 10);
      expect(settled).to.deep.equal({ status: 'ended' });
    }
    expect(await waiting()).to.deep.equal(['a1', 'a2']);
  });

  it('does not overtake earlier messages of its record in an ordered mailbox, and says so', async () => {
    await publishAll(subscription({ ordered: true }));
    await push(change('a1', { recordId: 'a' }), change('a2', { recordId: 'a' }));
    expect(await redeliver('a2', 'a')).to.equal('in_order');
    const turn = await claimOne();
    await settle(turn, [again(1)], 10);
    expect(await redeliver('a2', 'a')).to.equal('in_order');
    expect(await redeliver('a1', 'a')).to.equal('pushed');
    expect(await waiting()).to.deep.equal(['a1', 'a2', 'a1 again']);
  });

  it('leaves at once after the attempt about its record in an ordered mailbox, whatever that attempt brings', async () => {
    await publishAll(subscription({ ordered: true }));
    await push(change('a1', { recordId: 'a' }));
    const turn = await claimOne();
    expect(await redeliver('a0', 'a')).to.equal('pushed');
    expect(await settle(turn, [], 10)).to.deep.include({ status: 'go_on', entries: [] });
    const next = await settle(turn, [again(1)], 10);
    expect(next.status === 'go_on' ? changeIds(next) : []).to.deep.equal(['a0']);
  });

  for (const probing of [false, true])
    it(`waits for a time if it is to be tried again, and the others go on meanwhile (probed: ${probing})`, async () => {
      await publishAll(subscription());
      await push(change('c1'));
      await redeliver('c0');
      const turn = await claimOne();
      expect(changeIds(turn)).to.deep.equal(['c0']);
      await settle(turn, [again(turn.entries[0]?.number ?? 0)], 0, { probing });
      const next = await claimOne();
      expect(changeIds(next)).to.deep.equal(['c1']);
      await settle(next, done(next), 0, { probing });
      expect(await claim()).to.deep.equal([]);
      const [status] = await room.mailboxes().status(ACCOUNT, ['sub_1']);
      expect(status?.nextDueAt).to.be.above(Date.now() + HOUR_MS / 2);
    });

  it('is the first at once if another URL came while it was tried', async () => {
    await publishAll(subscription());
    await push(change('c1'));
    await redeliver('c0');
    const turn = await claimOne();
    await publish(subscription({ version: 2, target_url: 'https://other.example/hook' }));
    await settle(turn, [again(turn.entries[0]?.number ?? 0)]);
    expect(changeIds(await claimOne())).to.deep.equal(['c0']);
  });
});
