import type { LeadFilterQuery } from '@sluice/contract/lead/lead';
import { changeLead } from '@sluice/leads/change/change-lead';
import { type ListLeads, listLeads } from '@sluice/leads/list/list-leads';
import { readHistory } from '@sluice/leads/list/read-history';
import { expect } from 'chai';
import { ACTOR, made, newAccount, pendingIn, useLeads } from './support.ts';

describe('listing leads', () => {
  const used = useLeads();
  const accountId = newAccount();
  const page = { by: 'created_at', descending: true, limit: 50 } as const;

  async function found(filter: LeadFilterQuery, rest: Partial<ListLeads> = {}): Promise<string[]> {
    const listed = await listLeads(used.deps, { accountId, filter, ...page, ...rest });
    if (listed.status !== 'page') throw new Error(listed.status);
    return listed.items.map((lead) => lead.name ?? '');
  }

  before(async () => {
    await made(used.deps, accountId, {
      name: 'Łukasz Müller-Straße',
      company: "O'Brien & Söhne",
      tags: ['fair'],
    });
    await made(used.deps, accountId, {
      name: 'Michelle Obermann',
      email: 'Michelle.O@Example.co.uk',
      stage: 'stg_won',
    });
    await made(used.deps, accountId, {
      name: 'Zoë Quint',
      phone: '+49 (0)176 123 45 67',
      external_id: 'x-1',
    });
    await made(used.deps, newAccount(), { name: 'Michelle of another account' });
  });

  const searches: [string, string][] = [
    ['lukasz', 'Łukasz Müller-Straße'],
    ['MÜLLER', 'Łukasz Müller-Straße'],
    ['strasse', 'Łukasz Müller-Straße'],
    ['obri lu', 'Łukasz Müller-Straße'],
    ['sö', 'Łukasz Müller-Straße'],
    ['miche', 'Michelle Obermann'],
    ['michelle.o@exam', 'Michelle Obermann'],
    ['zoe', 'Zoë Quint'],
    ['0176 12', 'Zoë Quint'],
    ['+49 176', 'Zoë Quint'],
    ['17612345', 'Zoë Quint'],
  ];
  for (const [q, name] of searches) {
    it(`finds ${name} by ${q}`, async () => {
      expect(await found({ q })).to.deep.equal([name]);
    });
  }

  it('finds an umlaut by two letters, and a name within a word of a script without blanks', async () => {
    const account = newAccount();
    const names = ['Müller', 'Ko\u0308hntopp', 'Søren', 'Åse', '王小明', '김철수', 'สมชายใจดี'];
    for (const name of names) await made(used.deps, account, { name });
    for (const [q, name] of [
      ['Mueller', 'Müller'],
      ['muller', 'Müller'],
      ['koehntopp', 'Ko\u0308hntopp'],
      ['Soeren', 'Søren'],
      ['aase', 'Åse'],
      ['小明', '王小明'],
      ['철수', '김철수'],
      ['ใจดี', 'สมชายใจดี'],
    ] as const)
      expect(await found({ q }, { accountId: account }), q).to.deep.equal([name]);
  });

  it('finds everybody by an empty text, as menus do', async () => {
    for (const q of ['', '  ']) expect(await found({ q })).to.have.length(3);
  });

  it('ignores spaces around an email and an external id', async () => {
    expect(await found({ email: ' michelle.o@example.co.uk ' })).to.deep.equal(['Michelle Obermann']);
    expect(await found({ external_id: ' x-1\t' })).to.deep.equal(['Zoë Quint']);
    expect(await found({ email: '' }), 'an empty lookup is nobody').to.deep.equal([]);
    expect(await found({ external_id: '' })).to.deep.equal([]);
  });

  it('reads a space before a phone number as a bare plus, and as a space', async () => {
    const region = newAccount();
    const settings = await used.store.leadSettings.findSettings(region);
    await used.store.leadSettings.putSettings({ ...settings, phone_region: 'DE' });
    await made(used.deps, region, { name: 'Berlin', phone: '030 901820' });
    for (const phone of [' 030 901820', ' 49 30901820', ' 30901820', '030901820'])
      expect(await found({ phone }, { accountId: region }), phone).to.deep.equal(['Berlin']);
    expect(await found({ phone: ' ' }, { accountId: region })).to.deep.equal([]);
  });

  for (const q of ['michex', 'ichelle', 'lukasz michelle', '999']) {
    it(`finds nobody by ${q}`, async () => {
      expect(await found({ q })).to.deep.equal([]);
    });
  }

  it('says that a search needs two characters', async () => {
    const listed = await listLeads(used.deps, { accountId, filter: { q: 'm &' }, ...page });
    expect(listed.status).to.equal('query_too_short');
  });

  const filters: [LeadFilterQuery, string][] = [
    [{ email: 'michelle.o@example.CO.uk' }, 'Michelle Obermann'],
    [{ phone: '+491761234567' }, 'Zoë Quint'],
    [{ external_id: 'x-1' }, 'Zoë Quint'],
    [{ stage: 'stg_won' }, 'Michelle Obermann'],
    [{ tag: 'fair' }, 'Łukasz Müller-Straße'],
    [{ tag: 'fair', stage: 'stg_new', q: 'mu' }, 'Łukasz Müller-Straße'],
  ];
  for (const [filter, name] of filters) {
    it(`finds ${name} by ${JSON.stringify(filter)}`, async () => {
      expect(await found(filter)).to.deep.equal([name]);
      expect(await found(filter, { by: 'updated_at' })).to.deep.equal([name]);
    });
  }

  it('returns the history of a lead, told or not, newest first', async () => {
    const lead = await made(used.deps, accountId, { name: 'Published' });
    await used.publisher.settled();
    const silent = { ...used.deps, publisher: { publishSoon: () => {} } };
    const patch = { company: 'Acme', fields: { budget: 5 }, stage: 'stg_won' };
    await changeLead(silent, { accountId, leadId: lead.lead_id, patch, actor: ACTOR, note: 'Signed' });
    const read = () => readHistory(used.deps, { accountId, leadId: lead.lead_id, limit: 10 });
    const untold = await read();
    if (untold.status !== 'page') throw new Error(untold.status);
    expect(untold.items.map(({ kind, previous, note }) => [kind, previous, note])).to.deep.equal([
      ['lead.stage_changed', { stage: 'stg_new' }, 'Signed'],
      ['lead.updated', { company: null, fields: { budget: null } }, undefined],
      ['lead.created', undefined, undefined],
    ]);
    await used.publisher.publishNow(await pendingIn(used.store, 'leads'));
    expect(await read()).to.deep.equal(untold);
    expect((await used.store.leads.findLead(accountId, lead.lead_id))?.untold).to.deep.equal([]);
  });
});
