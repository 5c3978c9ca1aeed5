import type { ConversationItem, MessageItem } from '@sluice/dashboard-api/conversations';
import { expect } from 'chai';
import { applyActions, visitorSays } from '../support/conversations.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { until } from '../support/until.ts';
import { useApi } from '../support/use-api.ts';

describe('api: conversations', () => {
  const api = useApi();
  let channelId: string;
  let names = 0;
  before(async () => {
    channelId = (await api.owner.call('post', '/channels', { name: 'Website chat' })).body.channel.channel_id;
  });

  const apply = (...actions: Parameters<typeof applyActions>[2]) =>
    applyActions(api.deps, { accountId: api.accountId, channelId }, actions);
  const newName = () => {
    names += 1;
    return `c-${names}`;
  };
  const messagesOf = async (id: string): Promise<MessageItem[]> =>
    (await api.owner.read(`/conversations/${id}/messages`)).items;
  let replies = 0;
  const reply = (id: string, text: string, reply_id?: string) => {
    replies += 1;
    const body = { text, reply_id: reply_id ?? `reply-${replies}-abcdef` };
    return api.owner.call('post', `/conversations/${id}/messages`, body);
  };

  it('list who waits for an agent first, by the longest wait, then the latest change first, in pages without gaps', async () => {
    const other = await api.addAccount();
    const person = await api.addPerson(other, 'viewer');
    const target = { accountId: other, channelId };
    for (const status of ['close', 'open', 'request_handoff', 'accept_handoff'] as const)
      for (let n = 0; n < 3; n += 1) {
        await applyActions(api.deps, target, [
          { kind: status, conversation: { external_id: `${status}-${n}` } },
        ]);
        // Two changes within one millisecond have no order.
        const changedAt = Date.now();
        await until(() => Date.now() > changedAt);
      }
    const listed: ConversationItem[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = cursor === '' ? '' : `&cursor=${cursor}`;
      const page: { items: ConversationItem[]; next_cursor: string | null } = await person.read(
        `/conversations?limit=4${query}`,
      );
      listed.push(...page.items);
      cursor = page.next_cursor;
    }
    expect(listed.map(({ external_id }) => external_id)).to.deep.equal(
      ['request_handoff', 'accept_handoff', 'open', 'close'].flatMap((kind) =>
        (kind === 'request_handoff' ? [0, 1, 2] : [2, 1, 0]).map((n) => `${kind}-${n}`),
      ),
    );
    const open = (await person.read('/conversations?status=open')).items as ConversationItem[];
    expect(open.every(({ status }) => status === 'open') && open.length).to.equal(3);
    expect((await person.read('/conversations?channel_id=chn_other')).items).to.deep.equal([]);
    expectProblem(await person.call('get', '/conversations?cursor=W10'), 'bad_request');
  });

  it('report what has changed since a time, and where to continue', async () => {
    const { until, items } = await api.owner.read('/conversations/changes');
    expect(items).to.deep.equal([]);
    const id = await apply(visitorSays(newName(), 'Hello'));
    const changes = await api.owner.read(`/conversations/changes?since=${until}`);
    const ids = (changes.items as ConversationItem[]).map(({ conversation_id }) => conversation_id);
    expect(ids).to.include(id);
    expect(Date.parse(changes.until)).to.be.within(Date.now() - 15_000, Date.now() - 9000);
  });

  it('show contact, session data and handoff', async () => {
    const id = await apply(
      visitorSays(newName(), 'Hello', {
        kind: 'request_handoff',
        conversation: {
          external_id: 'replaced',
          subject: 'Tickets',
          language: 'en',
          contact: { name: 'Ada', email: 'ada@example.com' },
          session: [
            ['page', '/tickets'],
            ['visits', 3],
          ],
        },
      }),
    );
    expect(await api.owner.read(`/conversations/${id}`)).to.deep.include({
      subject: 'Tickets',
      language: 'en',
      status: 'handoff_requested',
      channel_name: 'Website chat',
      contact: { name: 'Ada', email: 'ada@example.com', phone: null },
      session: { page: '/tickets', visits: 3 },
      has_reply_url: false,
      channel_deleted: false,
      lead: null,
    });
  });

  it('are taken over, replied to and ended, each visible in the response and the next read', async () => {
    const id = await apply(visitorSays(newName(), 'Hello', { kind: 'request_handoff' }));
    const accepted = await api.owner.call('post', `/conversations/${id}/accept`);
    expect(accepted.body).to.include({ status: 'handoff_active' });
    expect(accepted.body.handoff.agent).to.equal(api.owner.me.user.name);
    const sent = await reply(id, 'How can I help?');
    expect(sent.status).to.equal(201);
    expect(sent.body).to.include({ author: 'agent', text: 'How can I help?', delivery: 'pending' });
    expect((await messagesOf(id)).map(({ text }) => text)).to.deep.equal(['Hello', 'How can I help?']);
    const ended = await api.owner.call('post', `/conversations/${id}/end`);
    expect(ended.body.status).to.equal('open');
    expect((await api.owner.read(`/conversations/${id}`)).status).to.equal('open');
  });

  it('are in the audit log by their id, without names and texts of people', async () => {
    const id = await apply(
      visitorSays(newName(), 'Secret', { conversation: { external_id: 'x', contact: { name: 'Ada' } } }),
    );
    await api.owner.call('post', `/conversations/${id}/accept`);
    await reply(id, 'Hidden text');
    const { items } = await api.owner.read('/audit?limit=2');
    expect(items.map(({ action }: { action: string }) => action)).to.deep.equal([
      'conversation.replied',
      'conversation.accepted',
    ]);
    expect(JSON.stringify(items))
      .to.contain(id)
      .and.not.match(/Hidden|Secret|Ada"/);
  });
});
