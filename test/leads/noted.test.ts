import type { Doer } from '@sluice/contract/account/doer';
import { changeLead, moveLead } from '@sluice/leads/change/change-lead';
import { readHistory } from '@sluice/leads/list/read-history';
import type { Lead } from '@sluice/store/leads/lead-document';
import { expect } from 'chai';
import { ACTOR, made, newAccount, useLeads } from './support.ts';

const DOER: Doer = { actor: { key_id: 'key_1', name: 'Website' }, address: '192.0.2.7' };

describe('a note that comes without a change of the stage', () => {
  const used = useLeads();
  let accountId: string;
  let lead: Lead;
  beforeEach(async () => {
    accountId = newAccount();
    lead = await made(used.deps, accountId, { name: 'Ada' });
  });

  const move = async (stage: string, note?: string, more: object = {}) => {
    const wanted = { accountId, leadId: lead.lead_id, stage, note, actor: ACTOR, ...more };
    return moveLead(used.deps, wanted);
  };
  const history = async () => {
    const read = await readHistory(used.deps, { accountId, leadId: lead.lead_id, limit: 10 });
    return read.status === 'page' ? read.items : [];
  };

  it('is an entry of the history, and changes the revision but no field and no time', async () => {
    const written = await move('stg_new', 'Called back');
    expect(written.status).to.equal('changed');
    const after = await used.store.leads.findLead(accountId, lead.lead_id);
    const { revision, sequence, untold: _, ...same } = lead;
    expect(after).to.deep.include({ ...same, revision: revision + 1 });
    expect(after?.sequence).to.be.above(sequence);
    expect((await history()).map(({ kind, previous, note }) => [kind, previous, note])).to.deep.equal([
      ['lead.noted', {}, 'Called back'],
      ['lead.created', undefined, undefined],
    ]);
    expect((await history())[0]?.data).to.include({
      name: 'Ada',
      updated_at: new Date(lead.updated_at).toISOString(),
    });
  });

  it('stays with the move where there is one', async () => {
    await move('stg_won', 'Signed');
    await move('stg_won', 'Paid');
    expect((await history()).map(({ kind, note }) => [kind, note])).to.deep.equal([
      ['lead.noted', 'Paid'],
      ['lead.stage_changed', 'Signed'],
      ['lead.created', undefined],
    ]);
  });

  it('is kept beside a change of other fields', async () => {
    const change = { accountId, leadId: lead.lead_id, actor: ACTOR, note: 'New job' };
    await changeLead(used.deps, { ...change, patch: { company: 'Engines' } });
    expect((await history()).map(({ kind, note }) => [kind, note])).to.deep.equal([
      ['lead.noted', 'New job'],
      ['lead.updated', undefined],
      ['lead.created', undefined],
    ]);
  });

  it('that is empty or absent changes nothing', async () => {
    expect((await move('stg_new', '')).status).to.equal('unchanged');
    expect((await move('stg_new')).status).to.equal('unchanged');
    expect(await history()).to.have.length(1);
  });

  it('is rejected where the lead has another revision than the caller has read', async () => {
    expect((await move('stg_new', 'First', { ifMatch: [lead.revision] })).status).to.equal('changed');
    expect((await move('stg_new', 'Second', { ifMatch: [lead.revision] })).status).to.equal(
      'changed_meanwhile',
    );
  });

  it('is stored once by a repeat of its request', async () => {
    const request = { requestId: 'req_note', isRepeat: true };
    for (const _ of ['first', 'repeat'])
      expect((await move('stg_new', 'Once', request)).status).to.equal('changed');
    await used.publisher.settled();
    expect((await move('stg_new', 'Once', request)).status).to.equal('changed');
    expect((await history()).map(({ note }) => note)).to.deep.equal(['Once', undefined]);
  });

  it('of many writers at once loses none', async () => {
    const notes = Array.from({ length: 10 }, (_, n) => `Note ${n}`);
    const written = await Promise.all(notes.map((note) => move('stg_new', note)));
    expect(written.map(({ status }) => status)).to.deep.equal(notes.map(() => 'changed'));
    const all = await readHistory(used.deps, { accountId, leadId: lead.lead_id, limit: 20 });
    expect(all.status === 'page' && all.items.flatMap(({ note }) => note ?? [])).to.have.members(notes);
  });

  it('has an audit entry without its text', async () => {
    await move('stg_new', 'Secretive', { doer: DOER });
    await used.publisher.settled();
    const { items } = await used.store.auditLog.pageEntries({ account_id: accountId, limit: 10 });
    expect(items).to.have.length(1);
    expect(items[0]).to.deep.include({ action: 'lead.noted', ...DOER, detail: null });
    expect(JSON.stringify(items)).to.not.contain('Secretive');
  });
});
