import { HOUR_MS } from '@sluice/contract/time/durations';
import { INITIAL_STATE } from '@sluice/outbound/queue/turn';
import { expect } from 'chai';
import { change, changeIds, type Published, useCursors } from './support/use-cursors.ts';

const FAILED = { failed: { c1: HOUR_MS, c2: HOUR_MS } };
const PROBED = { probing: true, lastProbed: 'rec_c1', firstFailureAt: 1, notBefore: Date.now() + HOUR_MS };

describe('a receiver that fails', () => {
  const room = useCursors();
  const { publishAll, publish, append, claim, claimOne, settle } = room;

  /** Two messages whose receiver has failed. It is probed again in an hour. */
  async function probed(): Promise<void> {
    await publishAll({});
    await append(change('c1'), change('c2'));
    const turn = await claimOne();
    await settle(turn, turn.entries, { ...FAILED, state: PROBED });
    expect(await claim()).to.deep.equal([]);
  }

  for (const known of ['the same dispatcher', 'another dispatcher'])
    it(`gets all that waits after a new start, and starts as a new one, by ${known}`, async () => {
      await probed();
      await publish({ version: 2, fresh_from: 2 });
      if (known === 'another dispatcher') room.useAnotherDispatcher();
      const turn = await claimOne();
      expect(changeIds(turn)).to.have.members(['c1', 'c2']);
      expect(turn.state).to.deep.equal(INITIAL_STATE);
    });

  it('gets all that waits after a new start that Redis has lost', async () => {
    await probed();
    await publish({ version: 2, fresh_from: 2 });
    await room.redis().del(...(await room.redis().keys(`${room.keyspace().prefix}:*`)));
    await publishAll({ version: 2, fresh_from: 2 });
    const turn = await claimOne();
    expect(changeIds(turn)).to.have.members(['c1', 'c2']);
    expect(turn.state).to.deep.equal(INITIAL_STATE);
  });

  it('waits for its probe after another change', async () => {
    await probed();
    await publish({ version: 2, secrets: [{ sealed: 'another', expires_at: null }] });
    const [turn] = await claim();
    expect(turn?.entries ?? []).to.deep.equal([]);
    expect(turn?.state ?? PROBED).to.deep.include(PROBED);
  });

  it('gets all that waits if an attempt of before its new start ends only afterwards', async () => {
    await publishAll({});
    await append(change('c1'), change('c2'));
    const turn = await claimOne();
    await publish({ version: 2, fresh_from: 2 });
    await settle(turn, turn.entries, { ...FAILED, state: PROBED });
    const next = await claimOne();
    expect(changeIds(next)).to.have.members(['c1', 'c2']);
    expect(next.state).to.deep.equal(INITIAL_STATE);
  });

  it('starts once: what fails afterwards waits, also after a later change', async () => {
    await probed();
    const fresh: Published = { version: 2, fresh_from: 2 };
    await publish(fresh);
    const turn = await claimOne();
    await settle(turn, turn.entries, { ...FAILED, state: PROBED });
    await publish({ ...fresh, version: 3 });
    room.useAnotherDispatcher();
    expect((await claim()).flatMap(({ entries }) => entries)).to.deep.equal([]);
  });
});

describe('a subscription with messages that wait', () => {
  const room = useCursors();
  const { publishAll, publish, append, claimOne, settle } = room;
  const ofRecord = (...ids: string[]) => ids.map((id) => change(id, { record_id: 'a' }));

  it('sends those of a record one by one once it is ordered', async () => {
    await publishAll({});
    await append(...ofRecord('a1', 'a2', 'a3'));
    const turn = await claimOne(2);
    expect(changeIds(turn)).to.deep.equal(['a1', 'a2']);
    await settle(turn, turn.entries, { failed: { a1: 0, a2: HOUR_MS } });
    await publish({ ordered: true, version: 2 });
    const first = await claimOne();
    expect(changeIds(first)).to.deep.equal(['a1']);
    await settle(first, first.entries, { failed: { a1: HOUR_MS } });
    await append(change('b1', { record_id: 'b' }));
    expect(changeIds(await claimOne()), 'other records go on').to.deep.equal(['b1']);
  });

  it('sends those that wait behind others of their record once it is not ordered any more', async () => {
    await publishAll({ ordered: true });
    await append(...ofRecord('a1', 'a2', 'a3'));
    const turn = await claimOne();
    expect(changeIds(turn)).to.deep.equal(['a1']);
    await settle(turn, turn.entries, { failed: { a1: HOUR_MS }, more: 10 });
    await publish({ ordered: false, version: 2 });
    expect(changeIds(await claimOne())).to.have.members(['a2', 'a3']);
  });

  it('sends those of another record, however many wait behind one that has failed', async () => {
    await publishAll({ ordered: true });
    const first = await append(change('a0', { record_id: 'a' }));
    const turn = await claimOne();
    await settle(turn, turn.entries, { failed: { a0: HOUR_MS } });
    const row = (id: string, record_id: string, n: number) => ({
      ...{ message_id: `${room.accountId()} ${id}`, account_id: room.accountId(), change_id: id, record_id },
      ...{ subscription_id: room.subscription().subscription_id, kind: 'lead.created' },
      ...{ place: first + n, created_at: Math.floor((first + n) / 1000), next_attempt_at: Date.now() },
    });
    const rows = Array.from({ length: 2_500 }, (_, n) => row(`a${n + 1}`, 'a', n + 1));
    // Of two messages in one millisecond the second may have the lower id.
    const others = [row('2', 'b', 4_600), row('1', 'b', 4_601)];
    await room.store().webhookMessages.addWaiting([...rows, ...others]);
    await room.ask();
    expect(changeIds(await claimOne())).to.deep.equal(['2']);
  });

  it('is attempted by one dispatcher at a time when it changes', async () => {
    await publishAll({});
    await append(change('c1'));
    const turn = await claimOne();
    await publish({ version: 2 });
    expect(await room.turns().renew(turn)).to.deep.equal({ status: 'stopped', why: 'changed' });
    expect(await room.claim()).to.deep.equal([]);
    await settle(turn, turn.entries);
    expect(changeIds(await claimOne())).to.deep.equal([]);
  });
});
