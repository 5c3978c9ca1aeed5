import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../support/folder.ts';
import { expectFailure, useInstallation } from './support.ts';

describe('sluice lead', () => {
  const used = useInstallation();
  const create = async (options: string) => {
    const [lead] = await used.json(`lead create ${options}`);
    return { lead: lead ?? {}, id: String(lead?.id) };
  };

  before(async () => {
    await used.json('account create --name Hall');
    await used.store.ensureIndexes();
  });

  it('creates a lead with every field, and shows it as the API returns it', async () => {
    const { lead, id } = await create(
      '--name Ada --company Engines --email Ada@example.com --phone +4930901820 --external-id crm-1 --tags fair,vip --field city=Berlin --fields {"budget":5000} --note Met --stage qualified',
    );
    expect(lead).to.include({ name: 'Ada', email: 'Ada@example.com', stage: 'stg_qualified', created: true });
    expect(lead).to.deep.include({ tags: ['fair', 'vip'], fields: { city: 'Berlin', budget: 5000 } });
    const { created: _, ...record } = lead;
    const [shown] = await used.json(`lead get ${id}`);
    expect(shown).to.deep.equal({ ...record, account_id: shown?.account_id });
  });

  it('shows people a dash where a lead has no tags and no fields', async () => {
    const { id } = await create('--name Mary');
    const { stdout } = await used.run(`lead get ${id}`);
    expect(stdout)
      .to.match(/^tags +-$/m)
      .and.match(/^fields +-$/m);
  });

  it('changes the lead that matches instead of a second one', async () => {
    const { id } = await create('--email bob@example.com');
    const { lead } = await create('--email BOB@example.com --company Ltd --match-on phone,email');
    expect(lead).to.include({ id, created: false, company: 'Ltd' });
  });

  it('changes fields and clears those with an empty value', async () => {
    const { id } = await create('--name Cleo --company Old');
    const [changed] = await used.json(`lead update ${id} --company= --name Cleopatra`);
    expect(changed).to.include({ name: 'Cleopatra', company: null });
    const again = await used.run(`lead update ${id}`);
    expectFailure(again, 2, 'Nothing to change');
  });

  it('moves a lead to a stage by its name, and keeps the note and the author in its history', async () => {
    const { id } = await create('--name Dora');
    expect((await used.json(`lead stage ${id} Won --note Signed`))[0]).to.include({ stage: 'stg_won' });
    const [move, created] = await used.json(`lead get ${id} --history`);
    expect(move).to.include({ kind: 'lead.stage_changed', note: 'Signed' });
    expect(move).to.deep.include({ actor: { type: 'system', id: 'cli' }, previous: { stage: 'stg_new' } });
    expect(created).to.include({ kind: 'lead.created' });
  });

  it('lists and searches leads newest first, with every filter', async () => {
    const { id } = await create('--name Grace --company Navy --email grace@example.com --tags cobol');
    for (const filter of [
      '--q gra',
      '--email GRACE@example.com',
      '--tag cobol',
      '--tag cobol --stage New',
      '--tag cobol --updated-since 2020-01-01T00:00:00Z --sort updated_at',
    ])
      expect(
        (await used.json(`lead list ${filter}`)).map((lead) => lead.id),
        filter,
      ).to.deep.equal([id]);
    expect(await used.json('lead list --tag cobol --stage Won')).to.deep.equal([]);
    expect((await used.json('lead list --limit 1')).map((lead) => lead.id)).to.deep.equal([id]);
    expect((await used.run('lead list')).stdout).to.match(/^ID +CREATED_AT +STAGE +NAME/);
  });

  for (const [args, about] of [
    ['create --email nobody', '--email: Not an e-mail address'],
    ['create --company Alone', 'at least one of name, email, phone and external_id'],
    ['create --name Ida --stage Nowhere', 'No stage is named "Nowhere". The stages are New,'],
    ['create --name Ida --field city', 'Write it as name=value'],
    ['create --name Ida --fields [1]', 'Not a JSON object'],
    ['create --name Ida --match-on shoe', 'Send one or several of: email,phone,external_id'],
    ['list --q a', 'at least two characters'],
  ] as const)
    it(`rejects lead ${args} as wrong usage, and says what to do`, async () => {
      const done = await used.run(`lead ${args} --json`);
      expectFailure(done, 2, about);
    });

  it('fails for an unknown lead, a taken external id and an unknown account', async () => {
    await create('--external-id crm-9');
    for (const [args, about] of [
      ['get lead_none', 'There is no lead lead_none'],
      ['update lead_none --name X', 'There is no lead lead_none'],
      ['create --external-id crm-9', 'has this external ID'],
      ['create --name X --account nobody', 'There is no account nobody'],
    ] as const) {
      const done = await used.run(`lead ${args} --json`);
      expectFailure(done, 1, about);
    }
  });

  describe('import', () => {
    const dir = newFolder();
    const file = async (text: string) => {
      const path = join(dir, 'leads.csv');
      await writeFile(path, text);
      return path;
    };

    it('shows what each row would do with --dry-run, and changes nothing', async () => {
      await create('--email hal@example.com --company Old');
      const path = await file(
        'Name,E-Mail,Company\nHal,hal@example.com,New\nIan,ian@example.com,\nIan B.,IAN@example.com,\nJo,wrong,\n',
      );
      const done = await used.run(`lead import ${path} --dry-run --json`);
      expect(done.code).to.equal(1);
      expect(done.rows.map(({ row, verdict }) => [row, verdict])).to.deep.equal([
        [2, 'update'],
        [3, 'new'],
        [4, 'update'],
        [5, 'bad'],
        [undefined, undefined],
      ]);
      expect(done.rows.at(-1)).to.deep.equal({ summary: { new: 1, update: 2, unchanged: 0, bad: 1 } });
      expect(done.rows[3]).to.deep.include({
        errors: [{ field: 'email', detail: 'Not an e-mail address. Example: "ada@example.com"' }],
      });
      expect(await used.json('lead list --email ian@example.com')).to.deep.equal([]);
    });

    it('imports the good rows as the dashboard does, so that the dashboard can undo them', async () => {
      const path = await file('Name,E-Mail,Budget,Size\nKim,kim@example.com,500,1\nLee,wrong,,\n');
      const done = await used.run(`lead import ${path} --map Budget=custom --json`);
      expect(done.code).to.equal(1);
      expect(done.stderr).to.contain('1 of 2 rows are bad');
      expect(done.stderr).to.contain('Columns left out: Size. To keep one, add --map "Size=custom".');
      const [kim] = await used.json('lead list --email kim@example.com');
      expect(kim).to.include({ origin: 'import' });
      expect(kim).to.deep.include({ fields: { Budget: '500' } });
      const [shown] = await used.json(`lead get ${kim?.id}`);
      const last = await used.store.leadImports.lastImport(String(shown?.account_id));
      expect(last).to.deep.include({ file_name: 'leads.csv', lead_ids: [kim?.id] });
      expect(last?.by).to.match(/^cli \(.+@.+\)$/);
      const again = await used.run(`lead import ${path} --map Budget=custom --json`);
      expect(again.rows[0]).to.deep.include({ verdict: 'unchanged', lead_id: kim?.id });
    });

    it('makes a new lead of each row with --match-on none', async () => {
      const path = await file('Name,Mail\nMia,mia@example.com\nMia,mia@example.com\n');
      const done = await used.run(`lead import ${path} --match-on none --json`);
      expect(done).to.include({ code: 0 });
      expect(await used.json('lead list --email mia@example.com')).to.have.length(2);
    });

    for (const [text, args, code, about] of [
      ['Shoe,Size\nA,1\n', '', 2, 'Map one, such as --map "Shoe=email"'],
      ['Name\nAda\n', ' --map Hat=email', 2, 'There is no column "Hat"'],
      ['Name\nAda\n', ' --map Name=hat', 2, 'There is no field "hat"'],
      ['Name\n', '', 1, 'no rows below the column names'],
    ] as const)
      it(`refuses ${JSON.stringify(text)}${args} before anything is changed`, async () => {
        const done = await used.run(`lead import ${await file(text)}${args} --json`);
        expectFailure(done, code, about);
      });

    it('imports from a pipe, because a container has no file of the user', async () => {
      const path = join(dir, 'pipe.csv');
      execFileSync('mkfifo', [path]);
      const [done] = await Promise.all([
        used.run(`lead import ${path} --json`),
        writeFile(path, 'Name,Mail\nOli,oli@example.com\n'),
      ]);
      expect(done, done.stderr).to.include({ code: 0 });
      expect(await used.json('lead list --email oli@example.com')).to.have.length(1);
    });

    it('fails for a missing file', async () => {
      const done = await used.run(`lead import ${join(dir, 'none.csv')}`);
      expect(done).to.include({ code: 2, stdout: '' });
      expect(done.stderr).to.match(/^sluice: Can't read .*none\.csv: ENOENT/);
    });
  });

  it('changes nothing and says so in one line while Redis is away', async () => {
    const done = await used.run('lead create --name Nell', { env: { REDIS_URL: 'redis://127.0.0.1:1' } });
    expect(done).to.include({ code: 75, stdout: '' });
    expect(done.stderr).to.match(/^sluice: Redis at redis:\/\/127\.0\.0\.1:1 doesn't respond .*\n$/);
    expect(await used.json('lead list --q Nell')).to.deep.equal([]);
  });

  it('reads leads without Redis, and says in one line that MongoDB is away', async () => {
    expect((await used.run('lead list', { env: { REDIS_URL: 'redis://127.0.0.1:1' } })).code).to.equal(0);
    const done = await used.run('lead list', { env: { MONGO_URL: 'mongodb://127.0.0.1:1/x' } });
    expect(done).to.include({ code: 75, stdout: '' });
    expect(done.stderr).to.match(/^sluice: MongoDB at .* doesn't respond .*\n$/);
  });
});
