import { expect } from 'chai';
import { type ApiProcesses, addKey, startApis } from '../support/api-processes.ts';
import type { TestSource } from '../support/ingress.ts';
import { endConversation, handOver, requestHandoff, sendEvent } from './support/changes.ts';
import { type Installation, startInstallation } from './support/installation.ts';
import { errorOf, loadZapierApp, type Perform, type Row, type Zapier } from './support/zapier.ts';

describe('zapier: the actions and searches', function () {
  this.timeout(300_000);
  let zapier: Zapier;
  let sluice: Installation;
  let channel: TestSource;
  let key: string;
  let authData: Row;
  before(async () => {
    zapier = loadZapierApp();
    sluice = await startInstallation();
    channel = await sluice.pipeline.addChannel();
    key = await addKey(sluice.pipeline, channel.accountId);
    authData = { base_url: `${sluice.apiUrl}/`, api_key: key };
  });
  after(async () => {
    await sluice?.stop();
  });

  const meta = { zap: { id: '4711' } };
  const create = (name: string, inputData: Row, auth = authData) =>
    zapier.run(zapier.app.creates[name]?.operation.perform, { authData: auth, inputData, meta });
  const search = (name: string, inputData: Row) =>
    zapier.run<Row[]>(zapier.app.searches[name]?.operation.perform, { authData, inputData, meta });
  const countLeads = async (email: string) =>
    (await sluice.call<{ data: Row[] }>(key, 'GET', `/leads?email=${email}`)).data.length;

  it('creates a lead once for the same Zap and input, and again for another run ID', async () => {
    const input = {
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      tags: ['fair', 'vip'],
      stage: 'stg_contacted',
    };
    const made = await create('create_lead', { ...input, company: '' });
    expect(made).to.deep.include({ ...input, company: null, origin: 'api' });
    expect((await create('create_lead', { ...input, company: '' })).id).to.equal(made.id);
    expect(await countLeads('ada@example.com')).to.equal(1);
    expect((await create('create_lead', { ...input, run_id: 'msg_2' })).id).not.to.equal(made.id);
    expect(await countLeads('ada@example.com')).to.equal(2);
  });

  it('creates or updates a lead, one for ten runs at the same time', async () => {
    const input = { email: 'grace@example.com', name: 'Grace' };
    const all = await Promise.all(Array.from({ length: 10 }, () => create('upsert_lead', input)));
    expect(new Set(all.map(({ id }) => id)).size).to.equal(1);
    const changed = await create('upsert_lead', { email: 'GRACE@example.com', company: 'Navy' });
    expect(changed).to.include({ id: all[0]?.id, company: 'Navy', name: 'Grace', created: false });
    const byId = { external_id: 'crm-1', email: 'grace@example.com', match_on: ['external_id', 'email'] };
    expect(await create('upsert_lead', byId)).to.include({ id: all[0]?.id, external_id: 'crm-1' });
  });

  it('updates a lead, moves it, and moves it again after it was moved back by hand', async () => {
    const { id: lead_id } = await create('create_lead', { email: 'moved@example.com' });
    const updated = await create('update_lead', { lead_id, company: 'Acme', 'fields.budget': 1200 });
    expect(updated).to.deep.include({
      company: 'Acme',
      email: 'moved@example.com',
      fields: { budget: 1200 },
    });
    const move = { lead_id, stage: 'stg_contacted', note: 'Called' };
    expect(await create('move_lead', move)).to.include({ stage: 'stg_contacted' });
    await sluice.call(key, 'POST', `/leads/${lead_id}/stage`, { stage: 'stg_new' });
    expect(await create('move_lead', move)).to.include({ stage: 'stg_contacted' });
  });

  it('keeps curly braces in the texts of a lead', async () => {
    const input = { name: 'Dear {{first_name}} {{{', 'fields.template': 'Your number is {{bundle.number}}.' };
    const { name, fields } = await create('create_lead', input);
    expect({ name, fields }).to.deep.equal({
      name: 'Dear {{first_name}} {{{',
      fields: { template: 'Your number is {{bundle.number}}.' },
    });
  });

  it('offers the custom fields of the account as typed inputs', async () => {
    await sluice.call(key, 'POST', '/leads', { name: 'Ada', fields: { budget: 1200 } });
    for (const name of ['create_lead', 'upsert_lead', 'update_lead']) {
      const fields = zapier.app.creates[name]?.operation.inputFields ?? [];
      const custom = fields.find((field): field is Perform => typeof field === 'function');
      const made = await zapier.run<Row[]>(custom, { authData, inputData: {} });
      expect(made).to.deep.include({ key: 'fields.budget', label: 'budget', type: 'number' });
    }
  });

  it('replies in a conversation once, and says in which state it cannot', async () => {
    const conversation_id = await handOver(sluice, channel, 'c-1');
    const input = { conversation_id, text: 'Hello Ada', author_name: 'Grace' };
    const sent = await create('send_reply', input);
    expect(sent).to.include({ text: 'Hello Ada', author_name: 'Grace' });
    // The channel has no reply URL, so its delivery fails soon.
    expect(sent.delivery).to.be.oneOf(['pending', 'failed']);
    expect((await create('send_reply', input)).id).to.equal(sent.id);
    expect((await create('send_reply', { ...input, run_id: '2' })).id).not.to.equal(sent.id);
    for (const field of zapier.app.creates.send_reply?.operation.outputFields ?? [])
      expect(sent).to.have.property(field.key);
    await endConversation(sluice, channel, 'c-1');
    const error = await errorOf(create('send_reply', { ...input, text: 'Bye' }));
    expect(error).to.include({ code: 'handoff_not_active', status: 409 });
    expect(error.message).to.match(/closed/);
  });

  it('accepts the handoff of a visitor who waits, also a second one, and ends it', async () => {
    for (const _ of ['first', 'second']) {
      const conversation_id = await requestHandoff(sluice, channel, 'waits');
      const accepted = await create('accept_handoff', { conversation_id, agent_name: 'Grace' });
      expect(accepted).to.include({ id: conversation_id, status: 'handoff_active' });
      const ended = await create('end_handoff', { conversation_id });
      expect(ended).to.include({ id: conversation_id, status: 'open' });
    }
  });

  it('finds events by start and by ID', async () => {
    const starts_at = '2027-05-01T10:00:00Z';
    const source = await sendEvent(sluice, channel.accountId, { title: 'Open day', starts_at });
    const by = { source, status: 'upcoming', starts_from: starts_at };
    const [found] = await search('find_event', by);
    expect(found).to.include({ title: 'Open day' });
    expect(await search('find_event', { event_id: found?.id })).to.deep.equal([found]);
    expect(await search('find_event', { ...by, starts_until: starts_at })).to.deep.equal([]);
  });

  it('finds leads and conversations, and nothing without an error', async () => {
    const made = await create('create_lead', { email: 'found@example.com', name: 'Ida Rhodes' });
    const lead_id = made.id;
    for (const by of [{ email: 'FOUND@example.com' }, { q: 'rhod' }, { lead_id }])
      expect((await search('find_lead', by)).map(({ id }) => id)).to.deep.equal([lead_id]);
    expect(await search('find_lead', { email: 'nobody@example.com' })).to.deep.equal([]);
    expect(await search('find_lead', { lead_id: 'lead_unknown' })).to.deep.equal([]);
    expect((await errorOf(search('find_lead', {}))).message).to.match(/at least one field/);
    expect(await search('find_lead', { email: '', stage: made.stage })).to.deep.equal([]);
    const conversation_id = await handOver(sluice, channel, 'c-2');
    const bys = [{ external_id: 'c-2' }, { conversation_id }];
    for (const by of bys)
      expect((await search('find_conversation', by)).map(({ id }) => id)).to.deep.equal([conversation_id]);
    const active = { status: 'handoff_active', channel: channel.sourceId };
    expect((await search('find_conversation', active)).map(({ id }) => id)).to.include(conversation_id);
  });

  it('makes one lead of a find or create', async () => {
    const { search: find, create: make } = zapier.app.searchOrCreates.find_lead ?? { search: '', create: '' };
    const input = { email: 'both@example.com' };
    expect(await search(find, input)).to.deep.equal([]);
    const made = await create(make, input);
    expect((await search(find, input)).map(({ id }) => id)).to.deep.equal([made.id]);
  });

  it('tests a connection and shows account and key, or says what is wrong', async () => {
    const { test, connectionLabel } = zapier.app.authentication;
    const identity = await zapier.run(test, { authData });
    expect(await zapier.run(connectionLabel, { authData, inputData: identity })).to.equal('test (Test)');
    const failing = async (changed: Row) =>
      errorOf(zapier.run(test, { authData: { ...authData, ...changed } }));
    expect((await failing({ api_key: 'slc_live_wrong' })).name).to.equal('ExpiredAuthError');
    expect((await failing({ base_url: 'sluice.example.com' })).message).to.match(/not an address/);
    expect((await failing({ base_url: 'http://sluice.example.com' })).message).to.match(/begin with https/);
    const ingress = sluice.pipeline.urls[0] as string;
    expect((await failing({ base_url: ingress })).message).not.to.match(/undefined|status code/);
  });

  it('shows the sentence of a rejection with each wrong field', async () => {
    const error = await errorOf(create('create_lead', { email: 'not an address' }));
    expect(error).to.include({ name: 'AppError', code: 'validation_failed', status: 400 });
    expect(error.message).to.match(/email: Not an e-mail address/);
    const missing = await errorOf(create('update_lead', { lead_id: 'lead_unknown', name: 'Ada' }));
    expect(missing).to.include({ status: 404 });
    const weak = { ...authData, api_key: await addKey(sluice.pipeline, channel.accountId, ['webhooks']) };
    expect((await errorOf(create('create_lead', { name: 'Ada' }, weak))).message).to.match(/write:leads/);
  });

  it('passes the pause that Sluice asks for to Zapier, in whole seconds', async () => {
    const limits = { KEY_RATE_PER_MINUTE: '60', KEY_RATE_BURST: '1' };
    let slow: ApiProcesses | undefined;
    try {
      slow = await startApis(sluice.pipeline, 1, limits);
      const limited = { ...authData, base_url: slow.urls[0] };
      const both = await Promise.allSettled(
        Array.from({ length: 5 }, (_, n) => create('create_lead', { name: `Ada ${n}` }, limited)),
      );
      const rejected = both.find((one): one is PromiseRejectedResult => one.status === 'rejected');
      const error = await errorOf(Promise.reject(rejected?.reason));
      expect(error.name).to.equal('ThrottledError');
      expect(error.delay).to.be.a('number').that.is.at.least(1);
      expect(Number.isInteger(error.delay)).to.equal(true);
      expect(error.message).to.match(/rate limit/);
    } finally {
      await slow?.stop();
    }
  });
});
