import type { Progress } from '@sluice/outbound/log/progress';
import { createTakeMessages } from '@sluice/outbound/log/take-messages';
import { INITIAL_STATE, type Turn } from '@sluice/outbound/queue/turn';
import { expect } from 'chai';
import { subscription } from '../directory/support/use-directory.ts';
import { change, changeIds, endAttempts, useCursors } from './support/use-cursors.ts';

const MIB = 1024 * 1024;

describe('the messages that a turn takes', () => {
  const at = useCursors();

  it('keep 2 MiB of texts, and the others are read when they are sent', async () => {
    await at.publishAll({});
    const text = `"x":"${'x'.repeat(MIB)}"}`;
    await at.append(...[1, 2, 3, 4].map((n) => change(`c${n}`, { text })));
    const turn = await at.claimOne();
    expect(turn.entries.map((entry) => entry.text === null)).to.deep.equal([false, false, true, true]);
  });

  it('are looked for in eight parts of the log at once: who wants little of a long one holds up nobody', async () => {
    let reads = 0;
    const take = createTakeMessages({
      reader: {
        async read(_account, after) {
          reads += 1;
          return { changes: [], to: after + 1, readAt: 0 };
        },
      },
      requests: { take: () => [] },
      messages: {} as never,
      now: () => 1,
    });
    const progress = {
      ...{ state: INITIAL_STATE, read: 0, checked: 0, last: 1_000, retryAt: null, taken: new Map() },
      ...{ sent: new Set(), seen: 0, skipped: [] },
    } as unknown as Progress;
    expect(
      await take({ subscription: subscription(), accountId: 'acc_1' } as Turn, progress, 10),
    ).to.deep.equal([]);
    expect(reads).to.equal(8);
    expect(progress.checked).to.equal(8);
  });

  it('are also those whose failure a frozen dispatcher stored after the turn had begun', async () => {
    await at.publishAll({});
    await at.append(change('c1'), change('c2'));
    const frozen = await at.claimOne();
    await at.loseTurn();
    at.useAnotherDispatcher();
    const turn = await at.claimOne(1);
    expect(changeIds(turn)).to.deep.equal(['c1']);
    const entries = frozen.entries.filter(({ changeId }) => changeId === 'c2');
    const late = { settle: async () => ({ status: 'lost' }) as const };
    await endAttempts(late, at.store(), { turn: frozen, entries, failed: { c2: 0 } });
    const settled = await at.settle(turn, turn.entries, { more: 1 });
    const next = settled.status === 'go_on' ? settled : await at.claimOne();
    expect(changeIds(next)).to.deep.equal(['c2']);
  });

  it('leave out all that a killed dispatcher has sent, however many turns it takes to come to them', async () => {
    await at.publishAll({});
    await at.append(...['c1', 'c2', 'c3'].map((id) => change(id)));
    const killed = await at.claimOne();
    const entries = killed.entries.filter(({ changeId }) => changeId !== 'c1');
    const lost = { settle: async () => ({ status: 'lost' }) as const };
    await endAttempts(lost, at.store(), { turn: killed, entries });
    await at.loseTurn();
    at.useAnotherDispatcher();
    const turn = await at.claimOne(1);
    expect(changeIds(turn)).to.deep.equal(['c1']);
    await at.settle(turn, turn.entries);
    await at.append(change('c4'));
    expect(changeIds(await at.claimOne())).to.deep.equal(['c4']);
  });

  it('are sent also if those of another subscription cannot be read', async () => {
    const [id, other] = [at.subscription().subscription_id, `sub_other_${at.accountId()}`];
    await at.publishAll({}, { subscription_id: other });
    await at.append(change('c1'));
    for (const { subscription } of await at.claim()) await at.loseTurn(subscription.subscription_id);
    const { webhookMessages } = at.store();
    const errors: unknown[] = [];
    at.useAnotherDispatcher({
      messages: {
        ...webhookMessages,
        findMessages: async (subscriptionId, ids) => {
          if (subscriptionId === other) throw new Error('it took too long');
          return webhookMessages.findMessages(subscriptionId, ids);
        },
      },
      onError: (error) => errors.push(error),
    });
    const turns = await at.claim();
    expect(turns.map(({ subscription }) => subscription.subscription_id)).to.deep.equal([id]);
    expect(turns.map(changeIds)).to.deep.equal([['c1']]);
    expect(errors.map(String)).to.deep.equal(['Error: it took too long']);
  });

  it('are due at once after a turn that is renewed once it has ended', async () => {
    await at.publishAll({});
    await at.append(change('c1'), change('c2'));
    const turn = await at.claimOne(1);
    await at.settle(turn, turn.entries);
    expect(await at.turns().renew(turn)).to.deep.equal({ status: 'lost' });
    expect(changeIds(await at.claimOne())).to.deep.equal(['c2']);
  });
});
