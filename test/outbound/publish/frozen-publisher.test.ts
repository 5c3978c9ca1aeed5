import { messageBody } from '@sluice/contract/message/outbound-text';
import { changeLead } from '@sluice/leads/change/change-lead';
import { expect } from 'chai';
import { ACTOR, made, newAccount, pendingIn, useLeads } from '../../leads/support.ts';
import { createOutbound, subscription } from './support/use-outbound.ts';

describe('publishing: a process that was frozen with changes', () => {
  const used = useLeads();
  const dying = () => ({ ...used.deps, publisher: { publishSoon: () => {} } });
  const pendingOf = async (accountId: string) =>
    (await pendingIn(used.store, 'leads')).filter(({ account_id }) => account_id === accountId);

  it('tells a new subscription nothing that another process told before it existed', async () => {
    const accountId = newAccount();
    const parts = createOutbound(used);
    const { memory, publisher } = parts;
    const deps = { ...used.deps, publisher };
    parts.subscriptions = [subscription('sub_old')];
    const { lead_id: leadId } = await made(dying(), accountId, { name: 'Ada' });
    await changeLead(dying(), { accountId, leadId, patch: { company: 'A' }, actor: ACTOR });
    // A process is frozen with these changes. Another one tells them, and a subscription is created.
    const late = await pendingOf(accountId);
    await publisher.publishNow(late);
    parts.subscriptions = [subscription('sub_old'), subscription('sub_new')];
    await memory.renewVersion(accountId);
    await changeLead(deps, { accountId, leadId, patch: { company: 'B' }, actor: ACTOR });
    await publisher.settled();
    await changeLead(dying(), { accountId, leadId, patch: { company: 'C' }, actor: ACTOR });
    const [untold] = await pendingOf(accountId);
    await publisher.publishNow(
      late.map((one) => ({ ...one, changes: [...one.changes, ...(untold?.changes ?? [])] })),
    );
    const companies = memory
      .messagesIn('sub_new')
      .map(({ text }) => JSON.parse(messageBody('', text)).data.company);
    expect(companies).to.deep.equal(['B', 'C']);
    expect(memory.messagesIn('sub_old')).to.have.length(4);
  });
});
