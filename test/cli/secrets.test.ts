import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { useInstallation } from './support.ts';

const INTERRUPTED = 'aud_interrupted' as never;

describe('sluice secrets reseal', function () {
  this.timeout(240_000);
  const used = useInstallation();
  const newKey = randomBytes(32).toString('base64');
  let sources: readonly Record<string, unknown>[];
  before(async () => {
    sources = [
      ...(await used.json('source create --name One')),
      ...(await used.json('source create --name Two')),
    ];
  });

  const both = () => ({
    env: { SLUICE_SECRET_KEY: newKey, SLUICE_SECRET_KEYS_OLD: used.env.SLUICE_SECRET_KEY ?? '' },
  });
  const show = (id: unknown, env: Record<string, string>) => used.run(`source show ${id} --json`, { env });

  it('fails without the previous key, changes nothing, and names the variable to set', async () => {
    const done = await used.run('secrets reseal --json', { env: { SLUICE_SECRET_KEY: newKey } });
    expect(done.code).to.equal(1);
    expect(done.rows).to.deep.equal([{ resealed: 0, already_current: 0, unreadable: 2 }]);
    expect(done.stderr).to.contain('SLUICE_SECRET_KEYS_OLD').and.contain(String(sources[0]?.source_id));
    const shown = await show(sources[0]?.source_id, {});
    expect(shown.rows).to.deep.equal([sources[0]]);
  });

  it('does not call the previous key unneeded if the command does not have the new one', async () => {
    const done = await used.run('secrets reseal --json');
    expect(done.rows).to.deep.equal([{ resealed: 0, already_current: 2, unreadable: 0 }]);
    expect(done.stderr)
      .to.match(/one key.*set SLUICE_SECRET_KEY to the new key/)
      .and.not.contain('no longer');
  });

  it('encrypts every secret again with both keys, so that the new key alone reads them', async () => {
    expect(await used.json('secrets reseal', both())).to.deep.equal([
      { resealed: 2, already_current: 0, unreadable: 0 },
    ]);
    for (const source of sources)
      expect((await show(source.source_id, { SLUICE_SECRET_KEY: newKey })).rows).to.deep.equal([source]);
    expect((await show(sources[0]?.source_id, {})).stderr).to.contain('unknown_key');
  });

  it('does nothing in a second run, and writes one audit log entry for the account', async () => {
    expect(await used.json('secrets reseal', both())).to.deep.equal([
      { resealed: 0, already_current: 2, unreadable: 0 },
    ]);
    const noted = await used.mongo.db.collection('audit_log').find({ action: 'secret.resealed' }).toArray();
    expect(noted.map(({ target }) => target)).to.deep.equal([{ id: 'demo', name: '2 sources' }]);
  });

  it('confirms the entry of an interrupted run, once a run with both keys has completed it', async () => {
    const log = used.mongo.db.collection('audit_log');
    const begun = { action: 'secret.resealed', account_id: 'demo', unconfirmed: true, announced: 1 };
    await log.insertOne({
      _id: INTERRUPTED,
      at: new Date(Date.now() - 60_000),
      detail: null,
      ...begun,
    });
    const found = () => log.findOne({ _id: INTERRUPTED });
    await used.json('secrets reseal', { env: { SLUICE_SECRET_KEY: newKey } });
    expect(await found()).to.include({ unconfirmed: true });
    await used.json('secrets reseal', both());
    expect(await found())
      .to.include({ detail: 'interrupted, and completed by a later run' })
      .and.not.have.any.keys('unconfirmed', 'announced');
  });
});
