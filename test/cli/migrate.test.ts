import { MIGRATIONS } from '@sluice/store/schema/migrations';
import { schemaCollection } from '@sluice/store/schema/schema-version';
import { expect } from 'chai';
import { useInstallation } from './support.ts';

const KNOWN = MIGRATIONS.length;

describe('sluice migrate', function () {
  this.timeout(240_000);
  const used = useInstallation();

  it('migrates the database and names the migrations; a second run does nothing', async () => {
    const migrations = MIGRATIONS.map(({ name }) => name);
    const current = { status: 'current', version: KNOWN };
    expect(await used.json('migrate')).to.deep.equal([{ ...current, migrations }]);
    expect(await used.json('migrate')).to.deep.equal([{ ...current, migrations: [] }]);
  });

  it('fails on a database that it cannot read, like every command, and says what to do', async () => {
    const newer = { $set: { version: KNOWN + 1, oldest_reader: KNOWN + 1 } };
    await schemaCollection(used.mongo.db).updateOne({ _id: 'schema' }, newer);
    for (const command of ['migrate', 'source list']) {
      const { code, stdout, stderr } = await used.run(`${command} --json`);
      expect([code, stdout]).to.deep.equal([1, '']);
      expect(stderr).to.contain('Start the newer version of Sluice again');
    }
  });
});
