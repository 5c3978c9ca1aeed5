import { expect } from 'chai';
import type { Person } from '../support/api.ts';
import { applyActions, visitorSays } from '../support/conversations.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { until } from '../support/until.ts';
import { useApi } from '../support/use-api.ts';

describe('api: channels', () => {
  const api = useApi();
  let viewer: Person;
  let id: string;
  before(async () => {
    viewer = await api.addPerson(api.accountId, 'viewer');
  });
  beforeEach(async () => {
    id = (await api.owner.call('post', '/channels', { name: 'Website chat' })).body.channel.channel_id;
  });

  it('have a separate endpoint, and no reply URL at first', async () => {
    const channel = await api.owner.read(`/channels/${id}`);
    expect(id).to.match(/^chn_/);
    expect(channel.endpoint_url).to.contain(`/api/v1/conversations/webhook/${id}`);
    expect(channel).to.include({ name: 'Website chat', active: true, reply_url: null, makes_leads: false });
  });

  it('have separate routes: those of a source do not find them, and the other way round', async () => {
    const { source_id } = (await api.owner.call('post', '/sources', { name: 'Booking' })).body.source;
    expectProblem(await api.owner.call('get', `/sources/${id}`), 'not_found');
    expectProblem(await api.owner.call('patch', `/sources/${id}`, { name: 'Other' }), 'not_found');
    expectProblem(await api.owner.call('put', `/sources/${id}/active`, { active: false }), 'not_found');
    const test = { body: '{}', break: 'none' };
    expectProblem(await api.owner.call('post', `/sources/${id}/test`, test), 'not_found');
    const rows = [{ row: 2, event: { title: 'Fair', starts_at: '2030-05-01T20:00:00Z' } }];
    for (const [path, body] of [
      ['check', { rows }],
      ['uids', { uids: ['uid-1'] }],
      ['', { rows, import_id: 'import_1', file_name: 'fair.csv' }],
    ] as const)
      expectProblem(
        await api.owner.call('post', `/events/import${path && `/${path}`}`, { source_id: id, ...body }),
        'not_found',
      );
    expectProblem(await api.owner.call('get', `/channels/${source_id}`), 'not_found');
    expectProblem(await api.owner.call('patch', `/channels/${source_id}`, { name: 'Other' }), 'not_found');
    expectProblem(await api.owner.call('post', `/channels/${source_id}/reply-secret/reveal`), 'not_found');
  });

  it('keep the reply URL as WHATWG writes it, and drop it for null', async () => {
    const set = await api.owner.call('patch', `/channels/${id}`, {
      reply_url: ' https://Chat.Example.com/r ',
    });
    expect(set.body).to.include({ reply_url: 'https://chat.example.com/r', name: 'Website chat' });
    const dropped = await api.owner.call('patch', `/channels/${id}`, { reply_url: null });
    expect(dropped.body.reply_url).to.equal(null);
  });

  /** A reply in a conversation of the channel that an agent has taken over. Returns how its delivery is read. */
  const replied = async (text: string) => {
    const { accountId } = api;
    const conversation = { external_id: text };
    const conversationId = await applyActions(api.store, { accountId, channelId: id }, [
      visitorSays(text, 'Hello'),
      { kind: 'accept_handoff', conversation },
    ]);
    const sent = await api.owner.call('post', `/conversations/${conversationId}/messages`, {
      ...{ text, reply_id: 'a'.repeat(32) },
    });
    expect(sent.status, sent.text).to.equal(201);
    const { message_id: messageId } = sent.body;
    return async () => {
      const found = (await api.store.conversationMessages.loadMessages([messageId])).get(messageId);
      return [found?.delivery, found?.delivery_reason];
    };
  };

  it('end a reply that waits when the reply URL is removed', async () => {
    await api.owner.call('patch', `/channels/${id}`, { reply_url: 'https://chat.example.com/r' });
    const delivery = await replied('Waits');
    const untold = { channel_id: id, 'untold.0': { $exists: true } };
    const conversations = api.mongo.db.collection('conversations');
    await until(async () => (await conversations.countDocuments(untold)) === 0, {
      what: 'the reply is published',
    });
    expect(await delivery()).to.deep.equal(['pending', null]);
    await api.owner.call('patch', `/channels/${id}`, { name: 'Still replying' });
    expect(await delivery()).to.deep.equal(['pending', null]);
    await api.owner.call('patch', `/channels/${id}`, { reply_url: null });
    const reason = 'The reply URL of the channel was removed before this reply was delivered.';
    expect(await delivery()).to.deep.equal(['failed', reason]);
  });

  it('end a reply while they have no reply URL', async () => {
    const delivery = await replied('Goes nowhere');
    await until(async () => (await delivery())[0] !== 'pending', { what: 'the reply ends' });
    expect(await delivery()).to.deep.equal(['failed', 'The channel has no reply URL.']);
  });

  it('reject a reply URL in a private network, and accept one whose name is not known yet', async () => {
    for (const url of ['https://10.0.0.5/', 'https://127.0.0.1/', 'https://[::1]/']) {
      const rejected = await api.owner.call('patch', `/channels/${id}`, { reply_url: url });
      expectProblem(rejected, 'validation_failed');
      expect(rejected.body.errors[0], url).to.include({ pointer: '/reply_url' });
    }
    expect(await api.owner.read(`/channels/${id}`)).to.include({ reply_url: null });
    const url = 'https://no-such-host.invalid/';
    expect((await api.owner.call('patch', `/channels/${id}`, { reply_url: url })).body.reply_url).to.equal(
      url,
    );
  });

  it('show a viewer only the host of the reply URL: the rest may contain a token', async () => {
    const secret = 'https://chat.example.com/hook/abc?token=t0k3n';
    await api.owner.call('patch', `/channels/${id}`, { reply_url: secret });
    expect((await viewer.read(`/channels/${id}`)).reply_url).to.equal('https://chat.example.com/');
    expect(JSON.stringify(await viewer.read('/channels'))).to.not.contain('t0k3n');
    expect((await api.owner.read(`/channels/${id}`)).reply_url).to.equal(secret);
  });

  it('rotate their secret of replies, and state until when the old one signs too', async () => {
    const reveal = async () => (await api.owner.call('post', `/channels/${id}/reply-secret/reveal`)).body;
    const before = await reveal();
    const { status, body } = await api.owner.call('post', `/channels/${id}/reply-secret/rotate`, {
      overlap: '1h',
    });
    expect(status).to.equal(200);
    expect(body.reply_secret)
      .to.match(/^whsec_[A-Za-z0-9+/]{64}$/)
      .and.not.equal(before.reply_secret);
    expect(await reveal()).to.deep.equal({ reply_secret: body.reply_secret });
    const { reply_overlap_until: until } = await api.owner.read(`/channels/${id}`);
    expect(until).to.equal(body.channel.reply_overlap_until).and.not.equal(null);
    const [, entry] = (await api.owner.read('/audit?limit=2')).items;
    expect(entry).to.include({
      action: 'channel.reply_secret_rotated',
      detail: `replies are signed with the old secret too until ${until}`,
    });
    await api.owner.call('post', `/channels/${id}/reply-secret/rotate`, { overlap: '0' });
    expect((await api.owner.read(`/channels/${id}`)).reply_overlap_until).to.equal(null);
  });

  it('are audited with the host of the reply URL alone, because its path may be secret', async () => {
    await api.owner.call('patch', `/channels/${id}`, {
      reply_url: 'https://chat.example.com/hook/abc123?token=t0k3n',
      makes_leads: true,
    });
    const [entry] = (await api.owner.read('/audit?limit=1')).items;
    expect(entry).to.include({
      action: 'channel.changed',
      detail: 'Replies go to: chat.example.com, Make leads: yes',
    });
  });
});
