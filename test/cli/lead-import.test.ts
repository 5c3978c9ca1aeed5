import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { sluice, useInstallation } from './support.ts';

describe('sluice lead import: columns and repeated rows', () => {
  const used = useInstallation();
  let dir: string;
  const file = async (text: string) => {
    const path = join(dir, 'leads.csv');
    await writeFile(path, text);
    return path;
  };
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'sluice-lead-import-'));
    await used.json('account create --name Hall');
  });
  after(() => rm(dir, { recursive: true }));

  it('counts rows about one new lead as an update, however its phone number is written', async () => {
    const path = await file(
      'Name,Phone\nUma,+49 30 765432\nUma B.,+49 (30) 76 54-32\nUma C.,+49 30 765433\n',
    );
    const done = await used.run(`lead import ${path} --match-on phone --dry-run --json`);
    expect(done.rows.map(({ verdict }) => verdict)).to.deep.equal(['new', 'update', 'new', undefined]);
  });

  it('imports each of two columns with one name, and names them in its errors', async () => {
    const path = await file('Name,Budget,Budget\nNia,5,7\n');
    const maps = ['--map', 'Budget=custom', '--map', 'Budget (2)=custom'];
    const done = await sluice(['lead', 'import', path, ...maps, '--json'], { env: used.env });
    expect(done, done.stderr).to.include({ code: 0 });
    const [nia] = await used.json('lead list --q nia');
    expect(nia).to.deep.include({ fields: { Budget: '5', 'Budget (2)': '7' } });
    const wrong = await used.run(`lead import ${path} --map Hat=custom`);
    expect(wrong.stderr).to.contain('The columns are: Name, Budget, Budget (2).');
  });
});
