import type { Scope } from '@sluice/contract/account/scopes';
import { expect } from 'chai';
import supertest from 'supertest';
import type { Person } from '../support/api.ts';
import { applyActions, visitorSays } from '../support/conversations.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { useApi } from '../support/use-api.ts';

const PATH = '/api/public/conversations';

describe('public API: conversations', () => {
  const api = useApi({ config: { KEY_RATE_PER_MINUTE: 100_000, KEY_RATE_BURST: 100_000 } });
  let channelId: string;
  let both: string;
  const makeKey = async (who: Person, scopes: readonly Scope[]): Promise<string> =>
    (await who.call('post', '/keys', { name: 'Zapier', scopes, expires_at: null })).body.key;
  before(async () => {
    channelId = (await api.owner.call('post', '/channels', { name: 'Website chat' })).body.channel.channel_id;
    // Replies then stay pending, because no dispatcher runs here.
    await api.owner.call('patch', `/channels/${channelId}`, {
      reply_url: 'https://chat.example.com/replies',
    });
    both = await makeKey(api.owner, ['read:conversations', 'write:conversations']);
  });

  const as = (key: string) => ({
    get: (path: string) => supertest(api.app).get(path).set('authorization', `Bearer ${key}`),
    post: (path: string, body: object, headers: Record<string, string> = {}) =>
      supertest(api.app).post(path).set('authorization', `Bearer ${key}`).set(headers).send(body),
  });
  const apply = (...actions: Parameters<typeof applyActions>[2]) =>
    applyActions(api.deps, { accountId: api.accountId, channelId }, actions);
  let names = 0;
  const active = async (): Promise<string> => {
    names += 1;
    const conversation = { external_id: `active-${names}` };
    await apply(visitorSays(conversation.external_id, 'Hello'));
    return apply({ kind: 'accept_handoff', conversation });
  };

  it('finds a conversation by the id of the channel, and shows contact and messages oldest first', async () => {
    const id = await apply(visitorSays('find-me', 'First'));
    await apply({
      kind: 'message',
      conversation: { external_id: 'find-me' },
      message: { external_id: 'later', author: 'visitor', text: 'Second', sent_at: Date.now() + 1000 },
    });
    const { body } = await as(both).get(`${PATH}?channel=${channelId}&external_id=find-me`);
    expect(body.data.map((one: { id: string }) => one.id)).to.deep.equal([id]);
    const one = await as(both).get(`${PATH}/${id}`);
    expect(one.body).to.include({ id, status: 'open', channel_id: channelId });
    expect(one.headers.etag).to.match(/^"\d+-[\da-f]{8}"$/);
    const messages = await as(both).get(`${PATH}/${id}/messages`);
    expect(messages.body.data.map(({ text }: { text: string }) => text)).to.deep.equal(['First', 'Second']);
  });

  it('keeps a reply as pending while the handoff is active, once for each Idempotency-Key', async () => {
    const id = await active();
    const send = () =>
      as(both).post(`${PATH}/${id}/messages`, { text: 'How can I help?' }, { 'idempotency-key': 'reply-1' });
    const [first, second] = [await send(), await send()];
    expect(first.status, JSON.stringify(first.body)).to.equal(201);
    expect(first.body).to.include({ text: 'How can I help?', author: 'agent', delivery: 'pending' });
    expect([second.status, second.body]).to.deep.equal([201, first.body]);
    expect(second.headers['idempotency-replayed']).to.equal('true');
    const { body } = await as(both).get(`${PATH}/${id}/messages?sort=-created_at`);
    expect(body.data.map(({ text }: { text: string }) => text)).to.deep.equal(['How can I help?', 'Hello']);
  });

  it('rejects a reply to a conversation that no agent has, and names its state', async () => {
    const id = await apply(visitorSays('not-taken', 'Hello'));
    const answer = await as(both).post(`${PATH}/${id}/messages`, { text: 'Hello' });
    expectProblem(answer, 'handoff_not_active');
    expect(answer.body.detail).to.contain('is open');
    const { body } = await as(both).get(`${PATH}/${id}/messages`);
    expect(body.data).to.have.length(1);
  });

  it('lists channels and event sources by name for menus, apart from each other', async () => {
    const hooks = await makeKey(api.owner, ['webhooks']);
    await api.owner.call('post', '/sources', { name: 'Booking' });
    const channels = await as(hooks).get('/api/public/channels?q=WEB');
    expect(channels.body.data).to.have.length(1);
    expect(channels.body.data[0]).to.include({ id: channelId, name: 'Website chat' });
    const sources = await as(hooks).get('/api/public/sources');
    expect(sources.body.data.map(({ name }: { name: string }) => name)).to.deep.equal(['Booking']);
    expectProblem(await as(both).get('/api/public/channels'), 'scope_missing');
  });

  it('continues a menu behind a channel that was renamed or deleted since', async () => {
    const hooks = await makeKey(api.owner, ['webhooks']);
    const add = async (name: string): Promise<string> =>
      (await api.owner.call('post', '/channels', { name })).body.channel.channel_id;
    const ids = [await add('Menu 1'), await add('Menu 2'), await add('Menu 3')];
    const page = async (cursor = '') => {
      const { body } = await as(hooks).get(`/api/public/channels?q=menu&limit=1${cursor}`);
      return { id: body.data[0]?.id, next: `&cursor=${body.next_cursor}` };
    };
    const first = await page();
    await api.owner.call('post', `/channels/${ids[0]}/delete`, { conversations: 'keep' });
    const second = await page(first.next);
    await api.owner.call('patch', `/channels/${ids[1]}`, { name: 'Chat' });
    const third = await page(second.next);
    expect([first.id, second.id, third.id]).to.deep.equal(ids);
  });
});
