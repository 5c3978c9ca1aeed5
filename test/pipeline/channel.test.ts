import { conversationId } from '@sluice/contract/conversation/conversation-id';
import { expect } from 'chai';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { post } from '../support/post.ts';
import { signed } from '../support/signed.ts';
import { until } from '../support/until.ts';

describe('pipeline: a conversation of a channel passes every part', function () {
  this.timeout(240_000);
  let pipeline: Pipeline;
  before(async () => {
    pipeline = await startPipeline({ workers: 2 });
  });
  after(() => pipeline?.stop());

  const send = async (channel: Awaited<ReturnType<Pipeline['addChannel']>>, body: object) => {
    const answer = await post(pipeline.urls[0] + channel.path, signed({ secret: channel.secret, body }));
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer;
  };
  const message = (n: number) => ({
    action: 'message',
    conversation: { external_id: 'c-1', contact: { email: 'ada@example.com' } },
    message: { external_id: `m-${n}`, author: 'visitor', text: `Message ${n}` },
  });

  it('is received, kept with its messages and logged as deliveries', async () => {
    const channel = await pipeline.addChannel();
    await send(channel, message(1));
    // Two workers may apply two requests in any order, and then the outcomes differ.
    await pipeline.logged(channel, 1);
    await send(channel, {
      action: 'request_handoff',
      conversation: { external_id: 'c-1', subject: 'Prices' },
    });
    const rows = await pipeline.logged(channel, 2);
    const id = conversationId(channel.sourceId, 'c-1');
    expect(
      rows.map(({ action, outcome, conversation_id }) => [action, outcome, conversation_id]),
    ).to.have.deep.members([
      ['message', 'created', id],
      ['request_handoff', 'updated', id],
    ]);
    const kept = await pipeline.store.conversations.findConversation(channel.accountId, id);
    expect(kept?.status).to.equal('handoff_requested');
    expect(kept?.contact?.value.email).to.equal('ada@example.com');
    const { items } = await pipeline.store.conversationMessages.pageMessages(id, {
      descending: false,
      limit: 10,
    });
    expect(items.map(({ text }) => text)).to.deep.equal(['Message 1']);
  });

  it('has a row of the log for each request that is rejected', async () => {
    const channel = await pipeline.addChannel();
    const reject = async (body: object) => {
      const answer = await post(pipeline.urls[0] + channel.path, signed({ secret: channel.secret, body }));
      return answer.body.code;
    };
    const { message: _, ...withoutMessage } = message(1);
    expect(await reject(withoutMessage)).to.equal('validation_failed');
    await pipeline.setActive(channel, false);
    const opened = { action: 'open', conversation: { external_id: 'c-1' } };
    expect(await reject(message(2))).to.equal('source_inactive');
    expect(await reject(opened)).to.equal('source_inactive');
    const rows = await pipeline.logged(channel, 3);
    expect(rows.map(({ action, code, outcome }) => [action, code, outcome])).to.have.deep.members([
      ['message', 'validation_failed', 'rejected'],
      ['message', 'source_inactive', 'rejected'],
      ['open', 'source_inactive', 'rejected'],
    ]);
  });

  it('is linked to the lead that the channel makes of its contact', async () => {
    const channel = await pipeline.addChannel();
    const { conversations, leads, sources } = pipeline.store;
    await sources.changeSource(channel.sourceId, { makes_leads: true });
    await send(channel, message(1));
    const id = conversationId(channel.sourceId, 'c-1');
    const find = () => conversations.findConversation(channel.accountId, id);
    await until(async () => typeof (await find())?.lead_id === 'string');
    const lead = await leads.findLead(channel.accountId, (await find())?.lead_id ?? '');
    expect(lead).to.include({ email: 'ada@example.com', origin: 'conversation', conversation_id: id });
  });

  it('keeps every message once when a worker is killed while it applies them', async () => {
    const MESSAGES = 200;
    const channel = await pipeline.addChannel();
    const numbers = Array.from({ length: MESSAGES }, (_, n) => n);
    const sending = Promise.all(numbers.map((n) => send(channel, message(n))));
    await pipeline.logged(channel, 1).catch(() => undefined);
    await pipeline.workers[0]?.kill('SIGKILL');
    await sending;
    await pipeline.logged(channel, MESSAGES);
    const id = conversationId(channel.sourceId, 'c-1');
    const { items } = await pipeline.store.conversationMessages.pageMessages(id, {
      descending: false,
      limit: MESSAGES + 1,
    });
    expect(items.map(({ text }) => text)).to.have.members(numbers.map((n) => `Message ${n}`));
    const kept = await pipeline.store.conversations.findConversation(channel.accountId, id);
    expect(kept?.status).to.equal('open');
  });
});
