import type { AuditItem } from '@sluice/dashboard-api/audit';
import type { LeadHistoryItem, LeadItem } from '@sluice/dashboard-api/leads';
import { expect } from 'chai';
import type { Person } from '../support/api.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { until } from '../support/until.ts';
import { useApi } from '../support/use-api.ts';

describe('api: leads in the dashboard', () => {
  const api = useApi();
  let admin: Person;
  before(async () => {
    admin = await api.addPerson(api.accountId, 'admin');
  });

  const create = async (lead: object): Promise<LeadItem> => {
    const answer = await admin.call('post', '/leads', lead);
    expect(answer.status, answer.text).to.equal(201);
    return answer.body;
  };
  /** Resolves once the creation of a lead is published, and so in the audit log. */
  const audited = (leadId: string) =>
    until(async () => (await api.owner.call('get', '/audit?limit=200')).text.includes(leadId));
  const historyOf = async ({ id }: LeadItem): Promise<LeadHistoryItem[]> =>
    (await admin.read(`/leads/${id}/history`)).items;

  it('the history names the member, and each field before and after, at once after the change', async () => {
    const lead = await create({ name: 'Ada', company: 'Old', fields: { Budget: 5, City: 'London' } });
    const patch = {
      company: 'New',
      note: 'Called',
      fields: { Budget: 7, City: null, Vip: true },
      tags: ['fair'],
    };
    await api.owner.call('patch', `/leads/${lead.id}`, { patch });
    const [changed, created] = await historyOf(lead);
    expect(created?.actor.name).to.equal(admin.me.user.email);
    expect(changed).to.deep.include({ kind: 'lead.updated', note: null, imported: false });
    expect(changed?.actor).to.deep.equal({
      ...{ type: 'member', id: api.owner.me.user.user_id, name: api.owner.me.user.email },
    });
    expect(changed?.changes).to.have.deep.members([
      { field: 'company', before: 'Old', after: 'New' },
      { field: 'note', before: null, after: 'Called' },
      { field: 'tags', before: null, after: 'fair' },
      { field: 'fields.Budget', before: '5', after: '7' },
      { field: 'fields.City', before: 'London', after: null },
      { field: 'fields.Vip', before: null, after: 'yes' },
    ]);
  });

  it('rejects a change that is based on an older revision, and accepts one on the current', async () => {
    const lead = await create({ name: 'Twice' });
    const change = (revision: number, company: string) =>
      admin.call('patch', `/leads/${lead.id}`, { revision, patch: { company } });
    expect((await change(lead.revision, 'First')).status).to.equal(200);
    expectProblem(await change(lead.revision, 'Second'), 'changed_meanwhile');
    const stored = await admin.read(`/leads/${lead.id}`);
    expect(stored.company).to.equal('First');
    expect((await change(stored.revision, 'Second')).status).to.equal(200);
  });

  it('the audit log shows the current names of a lead and its stage, and the id of an erased lead', async () => {
    const lead = await create({ name: 'Grace' });
    const entries = async (): Promise<AuditItem[]> =>
      (await api.owner.read('/audit?limit=200')).items.filter(
        ({ target }: AuditItem) => target.id === lead.id,
      );
    await admin.call('post', `/leads/${lead.id}/stage`, { stage: 'stg_qualified' });
    await admin.call('patch', `/leads/${lead.id}`, { patch: { name: 'Grace Hopper' } });
    await until(async () => (await entries()).length === 3);
    expect((await entries()).map(({ target, detail }) => [target.name, detail])).to.have.deep.members([
      ['Grace Hopper', 'name'],
      ['Grace Hopper', 'Qualified'],
      ['Grace Hopper', null],
    ]);
    await api.owner.call('delete', `/leads/${lead.id}`);
    await until(async () => (await entries()).length === 4);
    expect(new Set((await entries()).map(({ target }) => target.name))).to.deep.equal(new Set([lead.id]));
  });

  it('points at the wrong field of a create, a patch and a move', async () => {
    const taken = await create({ name: 'Holder', external_id: 'crm-1' });
    const other = await create({ name: 'Other' });
    const pointersOf = (answer: { body: { errors: { pointer: string }[] } }) =>
      answer.body.errors.map(({ pointer }) => pointer);
    const again = await admin.call('post', '/leads', { name: 'Again', external_id: 'crm-1' });
    expectProblem(again, 'validation_failed');
    expect(pointersOf(again)).to.deep.equal(['/external_id']);
    expect(again.text).to.contain(taken.id);
    const path = `/leads/${other.id}`;
    const patched = await admin.call('patch', path, { patch: { external_id: 'crm-1' } });
    expect(pointersOf(patched)).to.deep.equal(['/patch/external_id']);
    expect(pointersOf(await admin.call('post', `${path}/stage`, { stage: 'stg_x' }))).to.deep.equal([
      '/stage',
    ]);
    expect(pointersOf(await admin.call('patch', path, { patch: { name: null } }))).to.deep.equal(['/patch']);
    expect(pointersOf(await admin.call('patch', path, { patch: { nmae: 'x' } }))).to.deep.equal([
      '/patch/nmae',
    ]);
    expectProblem(await admin.call('patch', path, { patch: { email: { $gt: '' } } }), 'validation_failed');
    expectProblem(await admin.call('get', '/leads?cursor=made-up'), 'bad_request');
  });

  it('the version changes with each change of a lead and of the pipeline, and with nothing else', async () => {
    const version = async () => (await admin.read('/leads/version')).version as string;
    const lead = await create({ name: 'Watched' });
    const first = await version();
    expect(await version()).to.equal(first);
    await admin.call('post', `/leads/${lead.id}/stage`, { stage: 'stg_won' });
    const second = await version();
    expect(second).not.to.equal(first);
    await admin.call('post', '/pipeline/stages', { name: 'Watched too', kind: 'open' });
    expect(await version()).not.to.equal(second);
  });

  it('the audit log stores leads by id only, so that an erasure leaves nothing in it', async () => {
    const lead = await create({ name: 'Quiet Person', email: 'quiet@example.com', note: 'Secretive' });
    await admin.call('patch', `/leads/${lead.id}`, { patch: { company: 'Hidden Ltd' } });
    await admin.call('get', '/leads/export?q=quiet');
    await audited(lead.id);
    const stored = await api.store.auditLog.pageEntries({ account_id: api.accountId, limit: 200 });
    const text = JSON.stringify(stored.items);
    expect(text).to.contain(lead.id).and.contain('filtered by q');
    for (const part of ['Quiet', 'quiet', 'Secretive', 'Hidden']) expect(text).not.to.contain(part);
  });

  it('exports an empty cell for a field that a lead lacks, also for one named like a property of objects', async () => {
    await create({ name: 'Without', tags: ['lacks'] });
    await create({ name: 'Builder', fields: { constructor: 'Ada' } });
    const { text } = await admin.call('get', '/leads/export?tag=lacks');
    expect(text).to.contain('constructor').and.not.contain('native code');
  });

  it('exports custom fields as columns, and formulas as text', async () => {
    await create({ name: '=cmd()', tags: ['csv', 'two'], fields: { Colour: 'red; "dark"' } });
    const { text } = await admin.call('get', '/leads/export?tag=csv');
    const [head = '', line = '', end] = text.split('\r\n');
    expect(head).to.match(/^\uFEFFname,company,email,phone,.*,stage_changed_at,.*\bColour\b/);
    expect(line)
      .to.match(/^'=cmd\(\),/)
      .and.contain('New')
      .and.contain('"csv, two"');
    expect(line).to.contain('"red; ""dark"""');
    expect(end).to.equal('');
  });
});
