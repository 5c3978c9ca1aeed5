import { createKey } from '@sluice/accounts/keys/create-key';
import { conversationId } from '@sluice/contract/conversation/conversation-id';
import { openReplySecrets } from '@sluice/credentials/reply-secret';
import { publishReply } from '@sluice/outbound/subscriptions/publish-reply';
import type { Channel } from '@sluice/store/sources/source';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { post } from '../support/post.ts';
import { signed } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { type OutboundApi, startOutboundApi } from './support/outbound-api.ts';

describe('dispatcher: replies of conversations', function () {
  this.timeout(120_000);
  let outbound: OutboundApi;
  before(async () => {
    outbound = await startOutboundApi();
  });
  after(() => outbound?.stop());

  it('go to the reply URL of the channel, signed with its secret, and then are delivered', async () => {
    const { pipeline, receiver, apiUrl } = outbound;
    const channel = await pipeline.addChannel();
    const { store } = pipeline;
    const source = (await store.sources.changeSource(channel.sourceId, {
      reply_url: receiver.url,
    })) as Channel;
    await publishReply(pipeline.deps, source);
    const conversation = { external_id: 'c-1' };
    for (const [rows, action] of ['open', 'request_handoff', 'accept_handoff'].entries()) {
      const body = { action, conversation };
      const answer = await post(pipeline.urls[0] + channel.path, signed({ secret: channel.secret, body }));
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      await pipeline.logged(channel, rows + 1);
    }
    const wanted = { accountId: channel.accountId, name: 'Bot', expiresAt: null };
    const made = await createKey(
      { ...store, now: Date.now },
      {
        ...wanted,
        scopes: ['read:conversations', 'write:conversations'],
      },
    );
    if (made.status !== 'created') throw new Error(made.status);
    const id = conversationId(channel.sourceId, 'c-1');
    const path = `${apiUrl}/api/public/conversations/${id}/messages`;
    const headers = { authorization: `Bearer ${made.key}`, 'content-type': 'application/json' };
    const sent = await fetch(path, { method: 'POST', headers, body: '{"text":"We are open until six."}' });
    const body = await sent.text();
    expect(sent.status, body).to.equal(201);
    expect(JSON.parse(body).delivery).to.equal('pending');

    await until(() => receiver.received.length === 1, { withinMs: 15_000 });
    const [got] = receiver.received;
    const stored = (await store.sources.findSource(channel.sourceId)) as Channel;
    const opened = openReplySecrets(pipeline.deps.keyring, stored, Date.now());
    if (opened.status !== 'opened') throw new Error(opened.status);
    new Webhook(opened.secrets[0] as string).verify(got?.text ?? '', got?.headers as Record<string, string>);
    expect(got?.type).to.equal('conversation.reply');
    expect(got?.body.data).to.deep.include({ text: 'We are open until six.' });
    await until(async () => {
      const { items } = await store.conversationMessages.pageMessages(id, { descending: true, limit: 1 });
      return items[0]?.delivery === 'delivered';
    });
  });
});
