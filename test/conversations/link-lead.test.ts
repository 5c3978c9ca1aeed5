import { linkWaiting } from '@sluice/conversations/link-waiting';
import { changeLead } from '@sluice/leads/change/change-lead';
import { eraseLead } from '@sluice/leads/change/erase-lead';
import { expect } from 'chai';
import { ACTOR, made, NOTHING_ELSE } from '../leads/support.ts';
import { useLinking } from './support/use-linking.ts';

describe('linking conversations and leads', () => {
  const at = useLinking();

  it('links a conversation to the oldest lead with the email of its contact, without case', async () => {
    const oldest = await made(at.leadDeps, at.accountId, { email: 'Ada@Example.com' });
    await made(at.leadDeps, at.accountId, { email: 'ada@example.com' });
    await at.send('c', { email: 'ADA@example.com' });
    expect(await at.linked('c')).to.equal(oldest.lead_id);
    const lead = await at.store.leads.findLead(at.accountId, oldest.lead_id);
    expect(lead?.conversation_id).to.equal(at.idOf('c'));
  });

  it('links a conversation by a phone number that is written differently', async () => {
    const lead = await made(at.leadDeps, at.accountId, { phone: '+49 30 901820' });
    await at.send('c', { phone: '+49 (30) 90-18-20' });
    expect(await at.linked('c')).to.equal(lead.lead_id);
  });

  it('links a conversation once a lead gets the email of its contact', async () => {
    await at.send('created', { email: 'new@example.com' });
    await at.send('changed', { email: 'other@example.com' });
    await Promise.all([at.settled('created'), at.settled('changed')]);
    const lead = await made(at.leadDeps, at.accountId, { email: 'new@example.com' });
    expect(await at.linked('created')).to.equal(lead.lead_id);
    const patch = { email: 'other@example.com' };
    await changeLead(at.leadDeps, { accountId: at.accountId, leadId: lead.lead_id, patch, actor: ACTOR });
    expect(await at.linked('changed')).to.equal(lead.lead_id);
  });

  it('links a conversation once its contact gets the email of a lead', async () => {
    const lead = await made(at.leadDeps, at.accountId, { email: 'late@example.com' });
    await at.send('c', { name: 'Ada' });
    expect((await at.settled('c')).lead_id).to.equal(null);
    await at.send('c', { name: 'Ada', email: 'late@example.com' });
    expect(await at.linked('c')).to.equal(lead.lead_id);
  });

  it('moves a conversation to another lead only if the contact no longer fits the first', async () => {
    const first = await made(at.leadDeps, at.accountId, { email: 'a@example.com', phone: '+49 30 901820' });
    const second = await made(at.leadDeps, at.accountId, { email: 'b@example.com' });
    await at.send('c', { email: 'a@example.com' });
    expect(await at.linked('c')).to.equal(first.lead_id);
    await at.send('c', { email: 'b@example.com', phone: '+49 30 901820' });
    expect((await at.settled('c')).lead_id).to.equal(first.lead_id);
    await at.send('c', { email: 'b@example.com', phone: '+49 30 000000' });
    expect((await at.settled('c')).lead_id).to.equal(second.lead_id);
  });

  it('makes one lead of all conversations with a new email, if the channel makes leads', async () => {
    at.makesLeads = true;
    const names = Array.from({ length: 10 }, (_, n) => `c-${n}`);
    await Promise.all(names.map((name) => at.send(name, { name: 'Ada', email: 'made@example.com' })));
    const leadIds = await Promise.all(names.map(at.linked));
    expect(new Set(leadIds).size).to.equal(1);
    const lead = await at.store.leads.findLead(at.accountId, leadIds[0] as string);
    expect(lead).to.deep.include({ name: 'Ada', email: 'made@example.com', origin: 'conversation' });
    expect(names.map(at.idOf)).to.include(lead?.conversation_id);
  });

  it('makes no lead of a contact without email and phone number', async () => {
    at.makesLeads = true;
    await at.send('c', { name: 'Anonymous' });
    expect((await at.settled('c')).lead_id).to.equal(null);
  });

  it('changes no field of a lead that it finds', async () => {
    at.makesLeads = true;
    const lead = await made(at.leadDeps, at.accountId, { name: 'Ada Lovelace', email: 'kept@example.com' });
    await at.send('c', { name: 'Mallory', email: 'kept@example.com' });
    expect(await at.linked('c')).to.equal(lead.lead_id);
    expect((await at.store.leads.findLead(at.accountId, lead.lead_id))?.name).to.equal('Ada Lovelace');
  });

  it('links what a process that died has left', async () => {
    const lead = await made(at.leadDeps, at.accountId, { email: 'left@example.com' });
    await at.linker.stop();
    await at.send('c', { email: 'left@example.com' }, () => undefined);
    expect((await at.find('c')).lead_id).to.equal(null);
    at.connect(false);
    expect(await at.linked('c')).to.equal(lead.lead_id);
  });

  it('never links a conversation of an erased lead again', async () => {
    const { lead_id } = await made(at.leadDeps, at.accountId, { email: 'gone@example.com' });
    await at.send('c', { email: 'gone@example.com' });
    await at.linked('c');
    await at.settled('c');
    await eraseLead(
      { ...at.store, ...at.leadDeps, ...NOTHING_ELSE },
      { accountId: at.accountId, leadId: lead_id, actor: ACTOR },
    );
    await made(at.leadDeps, at.accountId, { email: 'gone@example.com' });
    await at.send('c', { email: 'gone@example.com' });
    expect((await at.settled('c')).lead_id).to.equal(lead_id);
  });

  it('erases the contact of a conversation that still waits for its link when its lead is erased', async () => {
    const { lead_id } = await made(at.leadDeps, at.accountId, { email: 'waits@example.com' });
    const other = await made(at.leadDeps, at.accountId, { email: 'stays@example.com' });
    await at.linker.stop();
    await at.send('theirs', { email: 'Waits@example.com' }, () => undefined);
    await at.send('another', { email: 'stays@example.com' }, () => undefined);
    const deps = { ...at.store, ...at.leadDeps, ...NOTHING_ELSE };
    await eraseLead(
      { ...deps, linkWaiting: (lead) => linkWaiting({ ...at.store, leadDeps: at.leadDeps }, lead) },
      { accountId: at.accountId, leadId: lead_id, actor: ACTOR },
    );
    expect((await at.find('theirs')).contact?.value ?? {}).to.not.have.property('email');
    at.connect(false);
    expect((await at.settled('theirs')).lead_id).to.equal(lead_id);
    expect(await at.linked('another')).to.equal(other.lead_id);
  });
});
