import { MIGRATIONS } from '@sluice/store/migrations';
import { schemaCollection } from '@sluice/store/schema-version';
import { expect } from 'chai';
import { useInstallation } from './support.ts';

const KNOWN = MIGRATIONS.length;

describe('sluice migrate', function () {
  this.timeout(240_000);
  const used = useInstallation();

  it('brings the database to its version and names what it did; run again it does nothing', async () => {
    const migrations = MIGRATIONS.map(({ name }) => name);
    const current = { status: 'current', version: KNOWN };
    expect(await used.json('migrate')).to.deep.equal([{ ...current, migrations }]);
    expect(await used.json('migrate')).to.deep.equal([{ ...current, migrations: [] }]);
  });

  it('as every command refuses a database that it cannot read, and says what to do', async () => {
    const newer = { $set: { version: KNOWN + 1, oldest_reader: KNOWN + 1 } };
    await schemaCollection(used.mongo.db).updateOne({ _id: 'schema' }, newer);
    for (const command of ['migrate', 'source list']) {
      const { code, stdout, stderr } = await used.run(`${command} --json`);
      expect([code, stdout]).to.deep.equal([1, '']);
      expect(stderr).to.contain('Start the newer version of Sluice again');
    }
  });
});
