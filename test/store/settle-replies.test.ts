import type { ConversationMessage } from '@sluice/store/conversations/conversation-document';
import { expect } from 'chai';
import { storedMessage, useStore } from './support.ts';

const REASON = 'The channel has no reply URL.';

describe('store: the end of replies', () => {
  const used = useStore();

  const kept = async (
    delivery: ConversationMessage['delivery'] = 'pending',
    { conversation_id = 'conv_1', account_id = 'acc_1' } = {},
  ) => {
    const message = storedMessage(conversation_id, 1, { account_id, author: 'agent', delivery });
    await used.store.conversationMessages.writeMessages([{ message, before: undefined }]);
    return message.message_id;
  };
  const ended = async (id: string) => {
    const found = (await used.store.conversationMessages.loadMessages([id])).get(id);
    return [found?.delivery, found?.delivery_reason];
  };

  it('lets an attempt that was under way deliver what has failed meanwhile, and never the other way round', async () => {
    const { settleReply, failReplies } = used.store.conversationMessages;
    const id = await kept();
    await failReplies([id], REASON);
    expect(await ended(id)).to.deep.equal(['failed', REASON]);
    await settleReply(id, 'delivered', null);
    expect(await ended(id)).to.deep.equal(['delivered', null]);
    await settleReply(id, 'failed', 'It answered 500.');
    await failReplies([id], REASON);
    expect(await ended(id)).to.deep.equal(['delivered', null]);
  });

  it('ends nothing that is no reply', async () => {
    const id = await kept(null);
    await used.store.conversationMessages.failReplies([id], REASON);
    await used.store.conversationMessages.settleReply(id, 'delivered', null);
    expect(await ended(id)).to.deep.equal([null, null]);
  });

  it('ends the pending replies of one channel, and no other message', async () => {
    const of = (name: string) => ({ conversation_id: `conv_${name}`, account_id: 'acc_2' });
    const conversations = used.mongo.db.collection<{ _id: string }>('conversations');
    for (const [name, channel_id] of [
      ['a', 'chn_1'],
      ['b', 'chn_1'],
      ['c', 'chn_2'],
    ] as const) {
      const { conversation_id: _id, account_id } = of(name);
      await conversations.insertOne({ _id, account_id, channel_id } as never);
    }
    const own = [
      await kept('pending', of('a')),
      await kept('pending', of('a')),
      await kept('pending', of('b')),
    ];
    const others = [
      ...[await kept('delivered', of('a')), await kept(null, of('b'))],
      ...[await kept('pending', of('c')), await kept('pending', { ...of('a'), account_id: 'acc_3' })],
    ];
    const before = await Promise.all(others.map(ended));
    await used.store.deletedConversations.failReplies({ account_id: 'acc_2', source_id: 'chn_1' }, REASON);
    expect(await Promise.all(own.map(ended))).to.deep.equal(own.map(() => ['failed', REASON]));
    expect(await Promise.all(others.map(ended))).to.deep.equal(before);
  });
});
