import type { ConversationItem } from '@sluice/dashboard-api/conversations';
import { expect } from 'chai';
import { expectProblem } from '../support/expect-problem.ts';
import { until } from '../support/until.ts';
import { type Source, useInstallation } from './support/installation.ts';

describe('api: the deletion of a channel', () => {
  const at = useInstallation();

  const addChannel = async (): Promise<Source> => {
    const { body } = await at.owner.call('post', '/channels', { name: 'Chat' });
    const id = body.channel.channel_id as string;
    const url = `${at.pipeline.urls[0]}/api/v1/conversations/webhook/${id}`;
    return { id, secret: body.signing_secret, url };
  };
  const conversations = async (channel: Source): Promise<ConversationItem[]> =>
    (await at.owner.read(`/conversations?channel_id=${channel.id}`)).items;
  /** A channel with one conversation for each text. */
  const withConversations = async (...texts: string[]) => {
    const channel = await addChannel();
    for (const text of texts)
      expect((await at.sendTo(channel, messageBody(text, text))).status).to.equal(200);
    await at.logged(channel, texts.length);
    return channel;
  };
  const remove = async (channel: Source, what: 'keep' | 'delete') => {
    const answer = await at.owner.call('post', `/channels/${channel.id}/delete`, { conversations: what });
    expect(answer.status, answer.text).to.equal(204);
  };
  const listed = async () =>
    (await at.owner.read('/channels')).items.map(({ channel_id }: { channel_id: string }) => channel_id);

  it('lets the next request get the response of an unknown source, and keeps conversations to read', async () => {
    const channel = await withConversations('Kept');
    expect((await at.owner.read(`/channels/${channel.id}/deletion`)).conversations).to.deep.equal({
      count: 1,
      more: false,
    });
    await remove(channel, 'keep');
    const late = await at.sendTo(channel, messageBody('Late', 'Late'));
    expect([late.status, late.body.code]).to.deep.equal([404, 'source_not_found']);
    expect(await listed()).to.not.include(channel.id);
    expectProblem(await at.owner.call('get', `/channels/${channel.id}`), 'not_found');
    const [kept] = await conversations(channel);
    expect(kept).to.deep.include({ channel_name: 'Chat' });
    const path = `/conversations/${kept?.conversation_id}`;
    expect(await at.owner.read(path)).to.include({ channel_deleted: true, has_reply_url: false });
    expect((await at.owner.read(`${path}/messages`)).items).to.have.length(1);
    const accepted = await at.owner.call('post', `${path}/accept`);
    expectProblem(accepted, 'source_inactive');
    expect(accepted.body.detail).to.contain('The channel of the conversation was deleted');
    const [row] = await at.list(channel);
    const shown = await at.owner.read(`/deliveries/${row?.delivery_id}`);
    expect(shown.delivery.request, 'the stored request').to.not.equal(null);
  });

  it('deletes the conversations, their messages and the stored requests if that is chosen', async () => {
    const channel = await withConversations('One', 'Two');
    const [one] = await conversations(channel);
    await remove(channel, 'delete');
    await until(async () => (await conversations(channel)).length === 0, { what: 'no conversation' });
    expectProblem(await at.owner.call('get', `/conversations/${one?.conversation_id}`), 'not_found');
    expectProblem(await at.owner.call('get', `/conversations/${one?.conversation_id}/messages`), 'not_found');
    await until(async () => (await at.list(channel)).every(({ title }) => title === null), {
      what: 'rows without a title',
    });
    const [row] = await at.list(channel);
    const detail = JSON.stringify(await at.owner.read(`/deliveries/${row?.delivery_id}`));
    expect(detail).to.not.contain('visitor');
  });
});

const messageBody = (external_id: string, text: string) => ({
  action: 'message',
  conversation: { external_id },
  message: { external_id: 'm-1', author: 'visitor', text },
});
