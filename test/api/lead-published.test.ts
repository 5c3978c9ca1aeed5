import type { PendingChange } from '@sluice/contract/message/change';
import type { LeadItem } from '@sluice/dashboard-api/leads';
import { leadKeys } from '@sluice/leads/fields/lead-keys';
import { expect } from 'chai';
import { type Person, startApi, type TestApi } from '../support/api.ts';
import { until } from '../support/until.ts';

describe('api: changes of leads that a dying process left', () => {
  let api: TestApi;
  let owner: Person;
  before(async () => {
    api = await startApi();
    owner = await api.addPerson(await api.addAccount(), 'owner');
  });
  after(() => api?.close());

  it('are in the history at once, and are published within 10 s', async function () {
    this.timeout(120_000);
    const { body } = await owner.call('post', '/leads', { name: 'Left Behind' });
    const { id } = body as LeadItem;
    const accountId = owner.me.account.account_id;
    const isPublished = async () => (await api.store.leads.findLead(accountId, id))?.untold.length === 0;
    await until(isPublished, { what: 'the creation is published' });
    const lead = await api.store.leads.findLead(accountId, id);
    if (lead === undefined) throw new Error('no lead');
    // Written as by a process that dies before it publishes the change.
    const changed = { ...lead, company: 'Written', revision: 2, sequence: lead.sequence + 1 };
    const change: PendingChange = {
      sequence: changed.sequence,
      kind: 'lead.updated',
      at: Date.now(),
      actor: { type: 'system', id: 'test' },
      data: { company: 'Written' },
      previous: { company: null },
    };
    await api.store.leads.writeLead({ lead: changed, keys: leadKeys(changed, null), changes: [change] });
    const history = await owner.read(`/leads/${id}/history`);
    expect(history.items.map(({ kind }: { kind: string }) => kind)).to.deep.equal([
      ...['lead.updated', 'lead.created'],
    ]);
    await until(isPublished, { what: 'the change is published' });
    expect(await owner.read(`/leads/${id}/history`)).to.deep.equal(history);
  });
});
