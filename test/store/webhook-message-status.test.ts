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
    await messages().logAttempts([row('b', 'delivered', 4), row('a', 'failed', 5)]);
    expect(await idsOf('delivered')).to.deep.equal(['b']);
    expect(await idsOf('pending')).to.deep.equal([]);
    expect(await idsOf('failed')).to.deep.equal(['c', 'a']);
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
