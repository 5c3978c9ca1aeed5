import { conversationId } from '@sluice/contract/conversation/conversation-id';
import { expect } from 'chai';
import type { TestSource } from '../support/ingress.ts';
import { usePipeline } from '../support/pipeline.ts';
import { type Answer, postTo } from '../support/post.ts';
import { until } from '../support/until.ts';

describe('a signed request that passes every part', function () {
  this.timeout(240_000);
  const pipeline = usePipeline({ workers: 2 });

  async function send(source: TestSource, body: object): Promise<Answer> {
    const answer = await postTo(pipeline.urls[0] as string, source, body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer;
  }
  const message = (n: number) => ({
    action: 'message',
    conversation: { external_id: 'c-1', contact: { email: 'ada@example.com' } },
    message: { external_id: `m-${n}`, author: 'visitor', text: `Message ${n}` },
  });

  it('is stored as an event with all its fields, and logged as a delivery', async () => {
    const source = await pipeline.addSource();
    const event = {
      title: '  Yoga ',
      starts_at: '2027-01-05T18:30:00-05:00',
      ends_at: '2027-01-05T19:30:00-05:00',
      description: 'Weekly class',
      location: '12 Main St',
      url: 'https://example.com/yoga',
      price: 'Free',
      recurring: 'weekly',
      status: 'upcoming',
    };
    const before = Date.now();
    const answer = await send(source, { action: 'upsert', event });
    const [row] = await pipeline.logged(source, 1);
    expect(row).to.include({
      delivery_id: answer.body.delivery_id,
      action: 'upsert',
      http_status: 200,
      title: 'Yoga',
      outcome: 'created',
      code: null,
      request_id: answer.headers.get('x-request-id'),
      duplicate_of: null,
    });
    expect(row?.received_at).to.be.within(before, Date.now());
    const [stored, ...more] = await pipeline.events(source);
    expect(more).to.be.empty;
    expect(stored).to.include({
      ...event,
      title: 'Yoga',
      starts_at: Date.parse('2027-01-05T23:30:00Z'),
      ends_at: Date.parse('2027-01-06T00:30:00Z'),
    });
  });

  it('is stored as a conversation with its message, linked to a lead, and logged as a delivery', async () => {
    const channel = await pipeline.addChannel();
    const { conversations, conversationMessages, leads, sources } = pipeline.store;
    await sources.changeSource(channel.sourceId, { makes_leads: true });
    await send(channel, message(1));
    const id = conversationId(channel.sourceId, 'c-1');
    const [row] = await pipeline.logged(channel, 1);
    expect(row).to.include({ action: 'message', outcome: 'created', conversation_id: id });
    const { items } = await conversationMessages.pageMessages(id, { descending: false, limit: 10 });
    expect(items.map(({ text }) => text)).to.deep.equal(['Message 1']);
    const find = () => conversations.findConversation(channel.accountId, id);
    await until(async () => typeof (await find())?.lead_id === 'string');
    const lead = await leads.findLead(channel.accountId, (await find())?.lead_id ?? '');
    expect(lead).to.include({ email: 'ada@example.com', origin: 'conversation', conversation_id: id });
  });

  it('has a row of the log if its channel is inactive', async () => {
    const channel = await pipeline.addChannel();
    await pipeline.setActive(channel, false);
    const { body } = await postTo(pipeline.urls[0] as string, channel, message(1));
    expect(body.code).to.equal('source_inactive');
    const [row] = await pipeline.logged(channel, 1);
    expect(row).to.include({ action: 'message', code: 'source_inactive', outcome: 'rejected' });
  });
});
