import type { LeadUndoPortion } from '@sluice/dashboard-api/lead-imports';
import type { LeadItem } from '@sluice/dashboard-api/leads';
import { expect } from 'chai';
import type { Person } from '../support/api.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { useApi } from '../support/use-api.ts';

describe('api: undoing an import of leads', () => {
  const api = useApi();
  let admin: Person;
  before(async () => {
    admin = await api.addPerson(api.accountId, 'admin');
  });

  const run = (import_id: string, leads: readonly object[], first = 2) =>
    admin.call('post', '/leads/import', {
      ...{ import_id, file_name: 'crm.csv', match_on: ['email'] },
      rows: leads.map((lead, index) => ({ row: index + first, lead })),
    });
  const undo = (import_id: string, from?: number) =>
    admin.call('post', '/leads/import/undo', { import_id, from });
  const check = async (import_id: string): Promise<LeadUndoPortion> =>
    (await admin.call('post', '/leads/import/undo/check', { import_id })).body;
  const find = async (q: string): Promise<LeadItem[]> => (await api.owner.read(`/leads?q=${q}`)).items;
  const create = async (lead: object): Promise<LeadItem> => (await admin.call('post', '/leads', lead)).body;

  it('erases created leads, restores changed ones, and keeps those changed since', async () => {
    const known = {
      name: 'Known',
      email: 'known@example.com',
      tags: ['a'],
      fields: { Budget: 5, City: 'Rome' },
    };
    const { id } = await create(known);
    await create({ name: 'Touched', email: 'touched@example.com' });
    const rows = [
      { name: 'New Name', email: 'known@example.com', tags: 'b', fields: { Budget: '7', Colour: 'red' } },
      { company: 'Later', email: 'touched@example.com' },
      { name: 'Fresh', email: 'fresh@example.com' },
      { note: 'Second row', email: 'fresh@example.com' },
    ];
    expect((await run('import_undo_1', rows)).body).to.deep.include({ created: 1, updated: 3 });
    const [touched] = await find('touched');
    await api.owner.call('patch', `/leads/${touched?.id}`, { patch: { phone: '+49 30 901820' } });

    const expected = { erased: 1, restored: 1, left: 1, untouched: 0, next: null };
    const checked = await check('import_undo_1');
    expect(checked).to.deep.include(expected);
    expect(checked.left_leads).to.deep.equal([{ id: touched?.id, name: 'Touched' }]);
    expect(await find('fresh'), 'a check changes nothing').to.have.length(1);

    const undone = await undo('import_undo_1');
    expect(undone.body).to.deep.include(expected);
    expect(await find('fresh')).to.deep.equal([]);
    expect(await api.owner.read(`/leads/${id}`)).to.deep.include(known);
    expect((await find('touched'))[0]).to.deep.include({ company: 'Later', phone: '+49 30 901820' });
    const last = (await api.owner.read('/leads/import/last')).import;
    expect(last).to.deep.include({ file_name: 'crm.csv', imported_by: admin.me.user.email, leads: 3 });
    expect(last.undone_at).to.be.a('string');
    expectProblem(await undo('import_undo_1'), 'conflict');
  });

  it('an undo that stopped half-way finds nothing to take back twice', async () => {
    const leads = Array.from({ length: 103 }, (_, index) => ({ name: `Many ${index}` }));
    await run('import_undo_2', leads);
    const first = (await undo('import_undo_2')).body as LeadUndoPortion;
    expect(first).to.deep.include({ erased: 100, next: 100 });
    const again = (await undo('import_undo_2')).body as LeadUndoPortion;
    expect(again).to.deep.include({ erased: 0, untouched: 100, next: 100 });
    const rest = (await undo('import_undo_2', 100)).body as LeadUndoPortion;
    expect(rest).to.deep.include({ erased: 3, next: null });
    expect(await find('many')).to.deep.equal([]);
  });

  it('a lead that an owner has erased since is left out', async () => {
    await run('import_undo_3', [{ name: 'Gone Soon' }]);
    const [lead] = await find('gone');
    const erased = await api.owner.call('delete', `/leads/${lead?.id}`);
    expect(erased.status, erased.text).to.equal(204);
    expect(await check('import_undo_3')).to.deep.include({ erased: 0, restored: 0, left: 0, untouched: 1 });
    expectProblem(await api.owner.call('get', `/leads/${lead?.id}`), 'not_found');
    expectProblem(await api.owner.call('get', `/leads/${lead?.id}/history`), 'not_found');
    expectProblem(await admin.call('delete', `/leads/${lead?.id}`), 'forbidden');
    const again = await run('import_undo_3', [{ name: 'Gone Soon' }]);
    expect(again.body.refused, 'the same import does not bring a person back').to.have.length(1);
  });
});
