import type { MessageStatus } from '@sluice/contract/webhook-delivery';
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
  const idsOf = async (status: MessageStatus) => {
    const found = await messages().pageMessages({ subscription_id: 'sub_1', status, limit: 10 });
    return found.map(({ message_id }) => message_id);
  };

  it('finds messages by status, also after the status has changed', async () => {
    await messages().logAttempts([row('a', 'delivered', 1), row('b', 'pending', 2), row('c', 'failed', 3)]);
    expect(await idsOf('delivered')).to.deep.equal(['a']);
    expect(await idsOf('pending')).to.deep.equal(['b']);
    expect(await idsOf('failed')).to.deep.equal(['c']);
    await messages().logAttempts([row('b', 'delivered', 4), row('c', 'pending', 5)]);
    expect(await idsOf('delivered')).to.deep.equal(['b', 'a']);
    expect(await idsOf('pending')).to.deep.equal(['c']);
    expect(await idsOf('failed')).to.deep.equal([]);
  });

  describe('after the message is delivered', () => {
    const late = (id: string, status: MessageStatus, n: number) => ({
      ...row(id, status, n),
      next_attempt_at: 9_000,
    });
    const stateOf = async (id: string) => {
      const found = await messages().findMessage('sub_1', id);
      return [found?.status, found?.next_attempt_at, found?.attempts.map(({ code }) => code)];
    };

    for (const status of ['pending', 'failed'] as const)
      it(`adds the ${status} attempt of a dispatcher that was frozen, and leaves the message delivered`, async () => {
        const id = `late_${status}`;
        await messages().logAttempts([row(id, 'delivered', 1)]);
        await messages().logAttempts([late(id, status, 2)]);
        await messages().logAttempts([late(id, status, 2)]);
        expect(await stateOf(id)).to.deep.equal(['delivered', null, ['delivered', status]]);
        expect(await idsOf(status)).not.to.include(id);
      });

    it('leaves it delivered if both attempts are logged at once', async () => {
      await messages().logAttempts([row('both', 'delivered', 1), late('both', 'pending', 2)]);
      expect(await stateOf('both')).to.deep.equal(['delivered', null, ['delivered', 'pending']]);
      await messages().logAttempts([row('seen', 'pending', 1)]);
      await messages().logAttempts([row('seen', 'delivered', 2), late('seen', 'pending', 3)]);
      expect(await stateOf('seen')).to.deep.equal(['delivered', null, ['pending', 'delivered', 'pending']]);
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
