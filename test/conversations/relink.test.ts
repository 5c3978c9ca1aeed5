import type { LeadPatch } from '@sluice/contract/lead/lead';
import { linkWaiting } from '@sluice/conversations/link-waiting';
import { changeLead } from '@sluice/leads/change/change-lead';
import { eraseLead } from '@sluice/leads/change/erase-lead';
import { createLeadDeps } from '@sluice/leads/deps';
import { expect } from 'chai';
import { ACTOR, made, NOTHING_ELSE } from '../leads/support.ts';
import { until } from '../support/until.ts';
import { useLinking } from './support/use-linking.ts';

describe('linking conversations again', () => {
  const at = useLinking();

  const patched = async (leadId: string, patch: LeadPatch) => {
    await changeLead(at.leadDeps, { accountId: at.accountId, leadId, patch, actor: ACTOR });
    await at.publisher.settled();
  };

  it('moves a conversation whose lead gets another email to the other lead that its contact fits', async () => {
    const first = await made(at.leadDeps, at.accountId, { email: 'two@example.com' });
    await at.send('c', { email: 'two@example.com' });
    expect(await at.linked('c')).to.equal(first.lead_id);
    await at.settled('c');
    const second = await made(at.leadDeps, at.accountId, { email: 'two@example.com' });
    await patched(first.lead_id, { email: 'else@example.com' });
    expect((await at.settled('c')).lead_id).to.equal(second.lead_id);
    expect((await at.store.leads.findLead(at.accountId, second.lead_id))?.conversation_id).to.equal(
      at.idOf('c'),
    );
  });

  it('moves a conversation whose lead has lost the email of its contact once another lead gets it', async () => {
    const first = await made(at.leadDeps, at.accountId, {
      email: 'lost@example.com',
      phone: '+49 30 901820',
    });
    await at.send('by-email', { email: 'lost@example.com' });
    await at.send('by-phone', { email: 'lost@example.com', phone: '+49 30 901820' });
    await Promise.all(['by-email', 'by-phone'].map(at.linked));
    await patched(first.lead_id, { email: 'else@example.com' });
    expect((await at.settled('by-email')).lead_id).to.equal(first.lead_id);
    const second = await made(at.leadDeps, at.accountId, { email: 'lost@example.com' });
    await until(async () => (await at.find('by-email')).lead_id === second.lead_id);
    expect((await at.settled('by-phone')).lead_id).to.equal(first.lead_id);
  });

  it('moves a conversation whose contact fits no lead any more once a lead gets the new email', async () => {
    const first = await made(at.leadDeps, at.accountId, { email: 'before@example.com' });
    await at.send('c', { email: 'before@example.com' });
    await at.linked('c');
    await at.send('c', { email: 'after@example.com' });
    expect((await at.settled('c')).lead_id).to.equal(first.lead_id);
    const second = await made(at.leadDeps, at.accountId, { email: 'after@example.com' });
    await until(async () => (await at.find('c')).lead_id === second.lead_id);
  });

  it('leaves a conversation to the lead that its contact fits when its former lead is erased', async () => {
    const first = await made(at.leadDeps, at.accountId, { email: 'theirs@example.com' });
    await at.send('c', { email: 'theirs@example.com' });
    await at.linked('c');
    await at.settled('c');
    // Nothing of this is published before the erasure.
    at.leadDeps = createLeadDeps(at.store, { publisher: { publishSoon: () => undefined } });
    await patched(first.lead_id, { email: 'else@example.com' });
    const second = await made(at.leadDeps, at.accountId, { email: 'theirs@example.com' });
    await eraseLead(
      {
        ...{ ...at.store, ...at.leadDeps, ...NOTHING_ELSE },
        linkWaiting: (lead) => linkWaiting({ ...at.store, leadDeps: at.leadDeps }, lead),
      },
      { accountId: at.accountId, leadId: first.lead_id, actor: ACTOR },
    );
    const { lead_id, contact } = await at.find('c');
    expect(lead_id).to.equal(second.lead_id);
    expect(contact?.value.email).to.equal('theirs@example.com');
  });
});
