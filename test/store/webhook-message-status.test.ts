import type { MessageStatus } from '@sluice/contract/subscription/webhook-delivery';
import type { AttemptRow } from '@sluice/store/outbound/webhook-message';
import { expect } from 'chai';
import { useStore } from './support.ts';

describe('store: messages of a subscription', () => {
  const used = useStore();
  const messages = () => used.store.webhookMessages;

  const row = (message_id: string, status: MessageStatus, n: number): AttemptRow => ({
    ...{ message_id, account_id: 'acc_1', subscription_id: 'sub_1', change_id: `c_${message_id}` },
    ...{ kind: 'event.created', record_id: 'evt_1', status, next_attempt_at: null, created_at: 1_000 + n },
    attempt: {
      ...{ id: `${message_id}:${n}`, at: 1_000 + n, duration_ms: 5, code: status, status: 200 },
      ...{ sentence: 'It was so.', response: null, redelivery: false },
    },
  });
  const recovered = (id: string, status: MessageStatus, n: number): AttemptRow => {
    const { attempt, ...rest } = row(id, status, n);
    return { ...rest, attempt: { ...attempt, redelivery: true } };
  };
  const idsOf = async (status: MessageStatus) => {
    const found = await messages().pageMessages({ subscription_id: 'sub_1', status, limit: 10 });
    return found.map(({ message_id }) => message_id);
  };

  it('finds messages by status, also after the status has changed', async () => {
    await messages().logAttempts([row('a', 'delivered', 1), row('b', 'pending', 2), row('c', 'failed', 3)]);
    expect(await idsOf('delivered')).to.deep.equal(['a']);
    expect(await idsOf('pending')).to.deep.equal(['b']);
    expect(await idsOf('failed')).to.deep.equal(['c']);
    await messages().logAttempts([row('b', 'delivered', 4), recovered('c', 'pending', 5)]);
    expect(await idsOf('delivered')).to.deep.equal(['b', 'a']);
    expect(await idsOf('pending')).to.deep.equal(['c']);
    expect(await idsOf('failed')).to.deep.equal([]);
  });

  describe('after the message has ended', () => {
    const late = (id: string, status: MessageStatus): AttemptRow => {
      const { attempt, ...rest } = row(id, status, 9);
      return { ...rest, next_attempt_at: 9_000, attempt: { ...attempt, response: 'about Ada' } };
    };
    const stateOf = async (id: string) => {
      const found = await messages().findMessage('sub_1', id);
      return [found?.status, found?.next_attempt_at, found?.attempts.at(-1)?.response];
    };
    const attemptsOf = async (id: string) => (await messages().findMessage('sub_1', id))?.attempts.length;
    const end = {
      delivered: (id: string) => messages().logAttempts([row(id, 'delivered', 2)]),
      failed: (id: string) => messages().logAttempts([row(id, 'failed', 2)]),
      discarded: (id: string) => messages().logDiscarded([row(id, 'pending', 2)]),
      erased: async (id: string) => {
        await messages().logAttempts([{ ...row(id, 'pending', 2), kind: 'lead.created', record_id: id }]);
        await messages().eraseRecords('acc_1', [id]);
      },
    };

    for (const ended of ['delivered', 'failed', 'discarded', 'erased'] as const)
      for (const status of ['pending', 'failed'] as const)
        it(`adds the ${status} attempt of a dispatcher that was frozen, and leaves the message ${ended}`, async () => {
          const id = `ended_${ended}_${status}`;
          await end[ended](id);
          const before = (await attemptsOf(id)) ?? 0;
          for (let times = 0; times < 2; times++) await messages().logAttempts([late(id, status)]);
          expect(await stateOf(id)).to.deep.equal([ended, null, ended === 'erased' ? null : 'about Ada']);
          expect(await attemptsOf(id), 'it is added once').to.equal(before + 1);
          if (status !== ended) expect(await idsOf(status)).not.to.include(id);
        });

    for (const ended of ['delivered', 'failed'] as const)
      it(`leaves it ${ended} if both attempts are logged at once, whether it was known or not`, async () => {
        const [both, seen] = [`both_${ended}`, `seen_${ended}`];
        await messages().logAttempts([row(seen, 'pending', 1)]);
        for (const id of [both, seen]) {
          await messages().logAttempts([row(id, ended, 2), late(id, 'pending')]);
          expect(await stateOf(id)).to.deep.equal([ended, null, 'about Ada']);
        }
        expect([await attemptsOf(both), await attemptsOf(seen)]).to.deep.equal([2, 3]);
      });

    for (const ended of ['failed', 'discarded'] as const)
      it(`is opened by a recovery if it was ${ended}`, async () => {
        const id = `opened_${ended}`;
        await end[ended](id);
        await messages().logAttempts([{ ...recovered(id, 'pending', 3), next_attempt_at: 9_000 }]);
        expect(await stateOf(id)).to.deep.equal(['pending', 9_000, null]);
      });

    it('is delivered if a delivery follows, also after a discard', async () => {
      await end.discarded('truth');
      await messages().logAttempts([row('truth', 'delivered', 3)]);
      expect(await stateOf('truth')).to.deep.equal(['delivered', null, null]);
    });
  });

  it('has no entry for a delivered message in the index by status', async () => {
    await messages().logAttempts([row('d', 'delivered', 6)]);
    const collection = used.mongo.db.collection('webhook_messages');
    const indexes = await collection.listIndexes().toArray();
    const byStatus = indexes.find(({ key }) => key.status === 1);
    expect(byStatus?.partialFilterExpression).to.deep.equal({ undelivered: { $exists: true } });
    expect(await collection.countDocuments({ status: 'delivered', undelivered: { $exists: true } })).to.equal(
      0,
    );
  });
});
