import { newId } from '@sluice/credentials/ids';
import type { LeadDeps } from '@sluice/leads/deps';
import { type ImportLeadsDeps, importLeads } from '@sluice/leads/import/import-leads';
import { expect } from 'chai';
import { ACTOR, made, newAccount, useLeads } from './support.ts';

describe('importing leads', () => {
  const used = useLeads();
  let accountId: string;
  let import_id: string;
  beforeEach(() => {
    accountId = newAccount();
    import_id = newId('lead');
  });

  const run = (
    leads: readonly Record<string, string>[],
    leadDeps: LeadDeps = used.deps,
    leadImports: ImportLeadsDeps['leadImports'] = used.store.leadImports,
  ) =>
    importLeads(
      { leadDeps, leadImports, now: Date.now },
      {
        ...{ accountId, by: 'ada@example.com', actor: ACTOR, import_id, file_name: 'crm.csv' },
        ...{
          match_on: ['external_id', 'email', 'phone'],
          rows: leads.map((lead, index) => ({ row: index + 2, lead })),
        },
      },
    );
  const recorded = async () => (await used.store.leadImports.findImport(accountId, import_id))?.lead_ids;
  const companyOf = async (leadId: string) => (await used.store.leads.findLead(accountId, leadId))?.company;
  const known = (email: string) => made(used.deps, accountId, { email, company: 'Old' });

  /** A process that dies before its write number `count`. */
  function dyingBefore(count: number): LeadDeps {
    let writes = 0;
    const { leads } = used.deps;
    const writeOrDie: typeof leads.writeLead = async (write) => {
      writes += 1;
      if (writes >= count) throw new Error('killed');
      return leads.writeLead(write);
    };
    return { ...used.deps, leads: { ...leads, writeLead: writeOrDie } };
  }

  it('records a lead that matches before it is changed, so that an undo knows it after a kill', async () => {
    const ids = [(await known('a@example.com')).lead_id, (await known('b@example.com')).lead_id];
    const rows = ['a@example.com', 'b@example.com'].map((email) => ({ email, company: 'New' }));
    const error = await run(rows, dyingBefore(2)).catch((one) => one);
    expect(String(error)).to.equal('Error: killed');
    expect(await companyOf(ids[0] as string)).to.equal('New');
    expect(await recorded()).to.include.members(ids);
  });

  it('records all leads that match with one write before the first change, and with one at the end', async () => {
    const rows = [
      { email: 'a@example.com', company: 'New' },
      { phone: '+49 30 901820', company: 'New' },
      { external_id: 'crm-1', email: 'nobody@example.com', company: 'New' },
    ];
    for (const { company: _, ...row } of rows) await made(used.deps, accountId, { ...row, company: 'Old' });
    let writes = 0;
    const counted: ImportLeadsDeps['leadImports'] = {
      ...used.store.leadImports,
      notePart(part) {
        writes += 1;
        return used.store.leadImports.notePart(part);
      },
    };
    const { result } = await run(rows, used.deps, counted);
    expect({ ...result, writes }).to.include({ created: 0, updated: 3, writes: 2 });
    expect(await recorded()).to.have.length(3);
  });

  it('records a lead that only matches since the import has begun', async () => {
    const rows = [{ email: 'a@example.com', company: 'New' }];
    const late: { id?: string } = {};
    const making: LeadDeps = {
      ...used.deps,
      settings: {
        ...used.deps.settings,
        async read(account) {
          const settings = await used.deps.settings.read(account);
          // The first look of the row itself comes after the record.
          late.id ??= (await known('a@example.com')).lead_id;
          return settings;
        },
      },
    };
    const dying = { ...making, leads: dyingBefore(1).leads };
    const error = await run(rows, dying).catch((one) => one);
    expect(String(error)).to.equal('Error: killed');
    expect(late.id).to.be.a('string');
    expect(await recorded()).to.include(late.id);
  });

  it('a repeat that dies forgets no lead that the first try has changed', async () => {
    const { lead_id } = await known('a@example.com');
    const rows = [{ email: 'a@example.com', company: 'New' }];
    await run(rows);
    const dying = {
      ...used.deps,
      leads: { ...used.deps.leads, findLead: () => Promise.reject(new Error('killed')) },
    };
    const error = await run(rows, dying).catch((one) => one);
    expect(String(error)).to.equal('Error: killed');
    expect(await recorded()).to.include(lead_id);
  });

  it('records exactly the leads that it made or matched, once it has ended', async () => {
    const { lead_id } = await known('a@example.com');
    const rows = [{ email: 'a@example.com', company: 'New' }, { email: 'b@example.com' }];
    for (const _ of ['first', 'repeat']) {
      await run(rows);
      const ids = (await recorded()) ?? [];
      expect(ids).to.have.length(2);
      expect(ids).to.include(lead_id);
      expect(await used.store.leads.findLeads(accountId, ids)).to.have.length(2);
    }
  });
});
