import type { ConversationAction } from '@sluice/contract/conversation-action';
import { conversationId } from '@sluice/contract/conversation-id';
import { applyConversations } from '@sluice/conversations/apply-conversations';
import { linkWaiting } from '@sluice/conversations/link-waiting';
import { createLinker, type Linker } from '@sluice/conversations/linker';
import { changeLead } from '@sluice/leads/change-lead';
import { createLeadDeps, type LeadDeps } from '@sluice/leads/deps';
import { eraseLead } from '@sluice/leads/erase-lead';
import { createTeller, type Teller } from '@sluice/telling/teller';
import { expect } from 'chai';
import { ACTOR, made, NOTHING_ELSE, newAccount, useLeads } from '../leads/support.ts';
import { until } from '../support/until.ts';

let sequence = 1_795_000_000_000_000;

describe('linking conversations and leads', () => {
  const used = useLeads();
  let teller: Teller;
  let linker: Linker;
  let leadDeps: LeadDeps;
  let accountId: string;
  let makesLeads = false;

  const connect = (linksAtOnce: boolean) => {
    teller = createTeller({
      ...used.store,
      onError: (error) => expect.fail(String(error)),
      linkLeads: (id, records) => linker.leadsChanged(id, records),
    });
    leadDeps = createLeadDeps(used.store, { teller });
    linker = createLinker({
      ...used.store,
      leadDeps,
      sources: { findSource: async () => ({ makes_leads: makesLeads }) as never },
      onChange: (error) => expect(error).to.equal(null),
      everyMs: linksAtOnce ? 3_600_000 : 10,
      graceMs: 0,
    });
  };
  beforeEach(() => {
    accountId = newAccount();
    makesLeads = false;
    connect(true);
  });
  afterEach(async () => {
    await linker.stop();
    await teller.settled();
  });

  const send = async (
    external_id: string,
    contact: NonNullable<ConversationAction['conversation']['contact']>,
    linkSoon = linker.linkSoon,
  ) => {
    sequence += 1000;
    const action = { kind: 'open' as const, conversation: { external_id, contact } };
    const admitted = {
      account_id: accountId,
      source_id: 'chn_1',
      sequence,
      received_at: sequence / 1000,
      action,
    };
    const deps = { ...used.store, tell: () => undefined, linkSoon, now: Date.now };
    await applyConversations(deps, [{ ...admitted, source_id: `chn_${accountId}` }]);
  };
  const idOf = (external_id: string) => conversationId(`chn_${accountId}`, external_id);
  const find = async (external_id: string) =>
    (await used.store.conversations.findConversation(accountId, idOf(external_id))) ??
    expect.fail('no conversation');
  const settled = async (external_id: string) => {
    await until(async () => (await find(external_id)).link_due_at === undefined);
    return find(external_id);
  };
  const linked = async (external_id: string) => {
    await until(async () => (await find(external_id)).lead_id !== null);
    return (await find(external_id)).lead_id;
  };

  it('links a conversation to the oldest lead with the email of its contact, without case', async () => {
    const oldest = await made(leadDeps, accountId, { email: 'Ada@Example.com' });
    await made(leadDeps, accountId, { email: 'ada@example.com' });
    await send('c', { email: 'ADA@example.com' });
    expect(await linked('c')).to.equal(oldest.lead_id);
    const lead = await used.store.leads.findLead(accountId, oldest.lead_id);
    expect(lead?.conversation_id).to.equal(idOf('c'));
  });

  it('links a conversation by a phone number that is written differently', async () => {
    const lead = await made(leadDeps, accountId, { phone: '+49 30 901820' });
    await send('c', { phone: '+49 (30) 90-18-20' });
    expect(await linked('c')).to.equal(lead.lead_id);
  });

  it('links a Mexican number with the former 1 of mobile phones, which WhatsApp sends', async () => {
    const lead = await made(leadDeps, accountId, { phone: '+52 55 1234 5678' });
    await send('c', { phone: '+5215512345678' });
    expect(await linked('c')).to.equal(lead.lead_id);
  });

  it('links a conversation once a lead gets the email of its contact', async () => {
    await send('created', { email: 'new@example.com' });
    await send('changed', { email: 'other@example.com' });
    await Promise.all([settled('created'), settled('changed')]);
    const lead = await made(leadDeps, accountId, { email: 'new@example.com' });
    expect(await linked('created')).to.equal(lead.lead_id);
    const patch = { email: 'other@example.com' };
    await changeLead(leadDeps, { accountId, leadId: lead.lead_id, patch, actor: ACTOR });
    expect(await linked('changed')).to.equal(lead.lead_id);
  });

  it('links a conversation once its contact gets the email of a lead', async () => {
    const lead = await made(leadDeps, accountId, { email: 'late@example.com' });
    await send('c', { name: 'Ada' });
    expect((await settled('c')).lead_id).to.equal(null);
    await send('c', { name: 'Ada', email: 'late@example.com' });
    expect(await linked('c')).to.equal(lead.lead_id);
  });

  it('moves a conversation to another lead only if the contact no longer fits the first', async () => {
    const first = await made(leadDeps, accountId, { email: 'a@example.com', phone: '+49 30 901820' });
    const second = await made(leadDeps, accountId, { email: 'b@example.com' });
    await send('c', { email: 'a@example.com' });
    expect(await linked('c')).to.equal(first.lead_id);
    await send('c', { email: 'b@example.com', phone: '+49 30 901820' });
    expect((await settled('c')).lead_id).to.equal(first.lead_id);
    await send('c', { email: 'b@example.com', phone: '+49 30 000000' });
    expect((await settled('c')).lead_id).to.equal(second.lead_id);
  });

  it('makes one lead of all conversations with a new email, if the channel makes leads', async () => {
    makesLeads = true;
    const names = Array.from({ length: 10 }, (_, n) => `c-${n}`);
    await Promise.all(names.map((name) => send(name, { name: 'Ada', email: 'made@example.com' })));
    const leadIds = await Promise.all(names.map(linked));
    expect(new Set(leadIds).size).to.equal(1);
    const lead = await used.store.leads.findLead(accountId, leadIds[0] as string);
    expect(lead).to.deep.include({ name: 'Ada', email: 'made@example.com', origin: 'conversation' });
    expect(names.map(idOf)).to.include(lead?.conversation_id);
  });

  it('makes no lead of a contact without email and phone number', async () => {
    makesLeads = true;
    await send('c', { name: 'Anonymous' });
    expect((await settled('c')).lead_id).to.equal(null);
  });

  it('changes no field of a lead that it finds', async () => {
    makesLeads = true;
    const lead = await made(leadDeps, accountId, { name: 'Ada Lovelace', email: 'kept@example.com' });
    await send('c', { name: 'Mallory', email: 'kept@example.com' });
    expect(await linked('c')).to.equal(lead.lead_id);
    expect((await used.store.leads.findLead(accountId, lead.lead_id))?.name).to.equal('Ada Lovelace');
  });

  it('links what a process that died has left', async () => {
    const lead = await made(leadDeps, accountId, { email: 'left@example.com' });
    await linker.stop();
    await send('c', { email: 'left@example.com' }, () => undefined);
    expect((await find('c')).lead_id).to.equal(null);
    connect(false);
    expect(await linked('c')).to.equal(lead.lead_id);
  });

  it('never links a conversation of an erased lead again', async () => {
    const { lead_id } = await made(leadDeps, accountId, { email: 'gone@example.com' });
    await send('c', { email: 'gone@example.com' });
    await linked('c');
    await settled('c');
    await eraseLead(
      { ...used.store, ...leadDeps, ...NOTHING_ELSE },
      { accountId, leadId: lead_id, actor: ACTOR },
    );
    await made(leadDeps, accountId, { email: 'gone@example.com' });
    await send('c', { email: 'gone@example.com' });
    expect((await settled('c')).lead_id).to.equal(lead_id);
  });

  it('erases the contact of a conversation that still waits for its link when its lead is erased', async () => {
    const { lead_id } = await made(leadDeps, accountId, { email: 'waits@example.com' });
    const other = await made(leadDeps, accountId, { email: 'stays@example.com' });
    await linker.stop();
    await send('theirs', { email: 'Waits@example.com' }, () => undefined);
    await send('another', { email: 'stays@example.com' }, () => undefined);
    const deps = { ...used.store, ...leadDeps, ...NOTHING_ELSE };
    await eraseLead(
      { ...deps, linkWaiting: (lead) => linkWaiting({ ...used.store, leadDeps }, lead) },
      { accountId, leadId: lead_id, actor: ACTOR },
    );
    expect((await find('theirs')).contact?.value ?? {}).to.not.have.property('email');
    connect(false);
    expect((await settled('theirs')).lead_id).to.equal(lead_id);
    expect(await linked('another')).to.equal(other.lead_id);
  });
});
