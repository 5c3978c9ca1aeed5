import { HOUR_MS } from '@sluice/contract/time/durations';
import type { PublishedSubscription } from '@sluice/outbound/queue/published-subscription';
import { INITIAL_STATE, type Turn } from '@sluice/outbound/queue/turn';
import { expect } from 'chai';
import { change, changeIds, subscription, useMailboxes } from './support/use-mailboxes.ts';

describe('a receiver that is probed', () => {
  const room = useMailboxes();
  const { publishAll, publish, push, claim, claimOne, settle } = room;

  /** Two messages whose receiver has failed. It is probed again in an hour. */
  async function probed(first: Partial<PublishedSubscription>) {
    await publishAll(subscription());
    await push(change('c1'), change('c2'));
    await failed(await claimOne());
    if (first.paused !== undefined) await publish(subscription({ version: 2, ...first }));
    expect(await claim()).to.deep.equal([]);
  }
  const failed = (turn: Turn) =>
    settle(
      turn,
      turn.entries.map(({ number }) => ({ number, outcome: 'again', dueAt: Date.now() + HOUR_MS })),
      0,
      { probing: true, lastProbed: 'rec_c1', firstFailureAt: 1, notBefore: Date.now() + HOUR_MS },
    );

  for (const [what, before, after] of [
    ['another URL', {}, { target_url: 'https://example.com/other' }],
    ['the end of a pause', { paused: 'by_client' }, {}],
    ['the end of a pause because it failed', { paused: 'failing' }, {}],
    ['its revival', { paused: 'deleted' }, {}],
  ] as const)
    it(`gets all that waits after ${what}, and starts as a new one`, async () => {
      await probed(before);
      await publish(subscription({ version: 3, ...after }));
      const turn = await claimOne();
      expect(changeIds(turn)).to.deep.equal(['c1', 'c2']);
      expect(turn.state).to.deep.equal(INITIAL_STATE);
    });

  for (const [what, after] of [
    ['another secret', { secrets: [{ sealed: 'another', expires_at: null }] }],
    ['the mark that it fails', { paused: 'failing' }],
  ] as const)
    it(`waits for its probe after ${what}`, async () => {
      await probed({});
      await publish(subscription({ version: 3, ...after }));
      expect(await claim()).to.deep.equal([]);
    });

  it('gets all that waits if an attempt at its former URL ends only after the change', async () => {
    await publishAll(subscription());
    await push(change('c1'), change('c2'));
    const turn = await claimOne(1);
    await publish(subscription({ version: 2, target_url: 'https://example.com/other' }));
    await failed(turn);
    const next = await claimOne();
    expect(changeIds(next)).to.deep.equal(['c1', 'c2']);
    expect(next.state).to.deep.equal(INITIAL_STATE);
  });
});
