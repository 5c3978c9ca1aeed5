import type { LeadsImported } from '@sluice/dashboard-api/lead-imports';
import type { LeadItem } from '@sluice/dashboard-api/leads';
import { IMPORT_CELL_LENGTH } from '@sluice/dashboard-api/limits';
import { guessLeadMapping, toLeadRow } from '@sluice/import/read/lead-mapping';
import { readLeadFile } from '@sluice/import/read/read-file';
import { expect } from 'chai';
import { useApi } from '../support/use-api.ts';

describe('api: importing leads', () => {
  const api = useApi();

  const rowsOf = (leads: readonly object[]) => leads.map((lead, index) => ({ row: index + 2, lead }));
  const check = async (leads: readonly object[], match_on: readonly string[] = ['email']) => {
    const answer = await api.owner.call('post', '/leads/import/check', { match_on, rows: rowsOf(leads) });
    expect(answer.status, answer.text).to.equal(200);
    return answer.body.rows;
  };
  const run = async (
    import_id: string,
    leads: readonly object[],
    match_on = ['email'],
  ): Promise<LeadsImported> => {
    const body = { import_id, file_name: 'crm.csv', match_on, rows: rowsOf(leads) };
    const answer = await api.owner.call('post', '/leads/import', body);
    expect(answer.status, answer.text).to.equal(200);
    return answer.body;
  };
  const find = async (q: string): Promise<LeadItem[]> => (await api.owner.read(`/leads?q=${q}`)).items;

  it('checks rows without a change: new, update, same, bad with field and reason', async () => {
    await run('import_check', [{ name: 'Known', email: 'known@example.com', stage: 'won' }]);
    await api.owner.call('post', '/leads', { name: 'Holder', external_id: 'crm-1' });
    const checked = await check([
      { name: 'Fresh', email: 'fresh@example.com' },
      { company: 'New Co', email: 'KNOWN@example.com' },
      { name: 'Known', email: 'known@example.com', stage: 'Lost' },
      { name: 'Bad', email: 'no address', stage: 'Nowhere' },
      { company: 'Nobody' },
      { name: 'Taken', external_id: 'crm-1' },
    ]);
    expect(checked.map(({ verdict }: { verdict: string }) => verdict)).to.deep.equal([
      ...['new', 'update', 'same', 'bad', 'bad', 'bad'],
    ]);
    expect(checked[3].errors.map(({ field }: { field: string }) => field)).to.deep.equal(['email']);
    expect(checked[4].errors[0].field).to.equal(null);
    expect(checked[5].errors[0].field).to.equal('external_id');
    expect(await find('fresh')).to.deep.equal([]);
  });

  it('names the values by which rows of one new lead find each other, in the form in which they are compared', async () => {
    const checked = await check(
      [
        { name: 'Ann', phone: '+49 30 901820', external_id: 'X-1' },
        { name: 'Ann', phone: '+49 (30) 90 18-20' },
        { name: 'Ann', phone: '+49 30 901821', external_id: 'x-1' },
        { name: 'Known later', email: 'Ann@Example.com' },
      ],
      ['phone', 'external_id'],
    );
    const meets = (a: number, b: number) =>
      checked[b].seeks.some((value: string) => checked[a].has.includes(value));
    expect([meets(0, 1), meets(0, 2), meets(0, 3)]).to.deep.equal([true, false, false]);
    expect(checked[3]).to.deep.include({ has: [], seeks: [] });
  });

  it('names the column of a custom field whose cell is too long, and the limit', async () => {
    const body = {
      match_on: [],
      rows: rowsOf([{ name: 'Long', fields: { Budget: '5', Story: 'x'.repeat(IMPORT_CELL_LENGTH + 1) } }]),
    };
    const answer = await api.owner.call('post', '/leads/import/check', body);
    expect(answer.status, answer.text).to.equal(400);
    expect(answer.body.errors).to.have.length(1);
    expect(answer.body.errors[0].pointer).to.match(/\/fields\/Story$/);
    expect(answer.body.errors[0].detail).to.include(`${IMPORT_CELL_LENGTH} characters`);
  });

  it('imports fields that are named like properties of objects, and rejects the row with the reserved name', async () => {
    const reserved = JSON.parse('{"name":"Reserved","fields":{"__proto__":"x"}}');
    const named = { name: 'Builder', fields: { constructor: 'Ada', toString: 'text' } };
    const [first, second] = await check([reserved, named]);
    expect(first).to.deep.include({ verdict: 'bad' });
    expect(first.errors).to.deep.equal([
      { field: '__proto__', detail: 'This name is reserved. Use another one.' },
    ]);
    expect(second).to.include({ verdict: 'new' });
    const result = await run('import_reserved', [reserved, named]);
    expect(result.refused).to.deep.equal([
      { row: 2, detail: '__proto__: This name is reserved. Use another one.' },
    ]);
    expect((await find('builder'))[0]?.fields).to.deep.equal({ constructor: 'Ada', toString: 'text' });
  });

  it('a repeated request has its effect once, and two rows about one person make one lead', async () => {
    const leads = [
      { name: 'Repeat', email: 'repeat@example.com', tags: 'a, b,', fields: { Budget: '5' } },
      { name: 'Nameless twin' },
      { name: 'Repeat Again', email: 'REPEAT@example.com' },
    ];
    expect(await run('import_repeat', leads)).to.deep.include({ created: 2, updated: 1, unchanged: 0 });
    const before = await find('repeat');
    expect(before).to.have.length(1);
    expect(before[0]).to.deep.include({ name: 'Repeat Again', tags: ['a', 'b'], origin: 'import' });
    await run('import_repeat', leads);
    expect((await find('twin')).length, 'a row without a match').to.equal(1);
    expect((await find('repeat')).length).to.equal(1);
  });

  it('imports good rows, and names the bad ones', async () => {
    const result = await run('import_some', [{ name: 'Good' }, { company: 'Nobody' }, { name: 'Fine' }]);
    expect(result).to.deep.include({ created: 2 });
    expect(result.refused.map(({ row }) => row)).to.deep.equal([3]);
    const { items } = await api.owner.read('/audit?action=leads.imported&limit=1');
    expect(items[0].detail).to.equal('rows 2 to 4: 2 leads');
    expect(items[0].target.name).to.equal('crm.csv');
  });

  it('cells become numbers and yes or no where the field has such values', async () => {
    await api.owner.call('post', '/leads', { name: 'Typed', fields: { Age: 30, Vip: true } });
    await run('import_typed', [{ name: 'Cells', fields: { Age: '41.5', Vip: 'No', Other: '7' } }]);
    expect((await find('cells'))[0]?.fields).to.deep.equal({ Age: 41.5, Vip: false, Other: '7' });
  });

  it('the history of a lead shows that a change belongs to an import', async () => {
    await run('import_history', [{ name: 'Historic', email: 'historic@example.com' }]);
    const [lead] = await find('historic');
    const { items } = await api.owner.read(`/leads/${lead?.id}/history`);
    expect(items[0]).to.deep.include({ kind: 'lead.created', imported: true });
  });

  it('imports a row of another program without what does not fit, and notes it', async () => {
    const leads = [
      { name: 'Noted', email: 'a@example.org, Ann <b@example.org>', stage: 'Open - Not Contacted' },
      { name: 'Noted too', email: 'c@example.org ::: d@example.org', phone: '312-555-0122, 312-555-0199' },
      { name: 'One number', phone: '030 / 901820, ext. 5' },
    ];
    const checked = await check(leads);
    expect(checked.map(({ notes }: { notes: string[] }) => notes)).to.deep.equal([
      [
        'email is "a@example.org", the first of 2. Left out: b@example.org.',
        'No stage is named "Open - Not Contacted". The stages are New, Contacted, Qualified, Won, Lost. A new lead starts in the first one.',
      ],
      [
        'email is "c@example.org", the first of 2. Left out: d@example.org.',
        'phone is "312-555-0122", the first of 2. Left out: 312-555-0199.',
      ],
      [],
    ]);
    expect(await run('import_noted', leads)).to.deep.include({ created: 3, refused: [] });
    expect((await find('noted')).map(({ email }) => email)).to.have.members([
      'a@example.org',
      'c@example.org',
    ]);
    expect((await find('number'))[0]).to.include({ phone: '030 / 901820, ext. 5' });
  });

  it('imports an export of its own without a change, and finds a lead without any key by its id', async () => {
    for (const lead of [
      { name: 'Only a name' },
      { name: '=Formula', email: 'own@example.com', fields: { zip: '01067', size: 5, vip: true } },
    ])
      await api.owner.call('post', '/leads', lead);
    const { text } = await api.owner.call('get', '/leads/export');
    const bytes = new TextEncoder().encode(text);
    const file = { name: 'leads.csv', size: bytes.length, arrayBuffer: async () => bytes.buffer };
    const read = await readLeadFile(file);
    if (read.outcome === 'refused') throw new Error(read.why);
    const { columns, rows } = read.table;
    const mapping = guessLeadMapping(columns);
    const body = { match_on: ['email'], rows: rows.map((row) => toLeadRow(columns, mapping, row)) };
    expect(body.rows.length).to.be.greaterThan(1);
    const checked = await api.owner.call('post', '/leads/import/check', body);
    expect(checked.body.rows.map(({ verdict }: { verdict: string }) => verdict)).to.deep.equal(
      rows.map(() => 'same'),
    );
    const [changed] = body.rows.filter(({ lead }) => lead.name === 'Only a name');
    const moved = { ...changed, lead: { ...changed?.lead, company: 'Now one' } };
    const imported = { import_id: 'import_own', file_name: 'leads.csv', match_on: [], rows: [moved] };
    const done = await api.owner.call('post', '/leads/import', imported);
    expect(done.body, done.text).to.include({ created: 0, updated: 1 });
  });
});
