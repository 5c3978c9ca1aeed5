import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { startMongoProxy } from '../support/mongo-proxy.ts';
import { expectFailure, useInstallation } from './support.ts';

/** The message that stores the new seal of a source. */
const RESEAL = /findAndModify\0.{4}sources\0/s;

describe('two sluice secrets reseal at the same time', function () {
  this.timeout(60_000);
  const used = useInstallation();

  it('are one: the second exits with 75, and the first confirms its own entry', async () => {
    await used.json('source create --name One');
    const env = {
      SLUICE_SECRET_KEY: randomBytes(32).toString('base64'),
      SLUICE_SECRET_KEYS_OLD: used.env.SLUICE_SECRET_KEY ?? '',
    };
    const entries = () => used.mongo.db.collection('audit_log').find({ action: 'secret.resealed' }).toArray();
    const proxy = await startMongoProxy(used.env.MONGO_URL as string);
    try {
      const held = proxy.holdAt(RESEAL);
      const first = used.run('secrets reseal --json', { env: { ...env, MONGO_URL: proxy.url } });
      await held;
      const second = await used.run('secrets reseal --json', { env });
      expectFailure(second, 75, 'Another "sluice secrets reseal" is running');
      expect((await entries()).map(({ unconfirmed }) => unconfirmed)).to.deep.equal([true]);
      proxy.letGo();
      expect((await first).rows, (await first).stderr).to.deep.equal([
        { resealed: 1, already_current: 0, unreadable: 0 },
      ]);
    } finally {
      await proxy.close();
    }
    const [entry, ...others] = await entries();
    expect(entry).to.include({ detail: null }).and.not.have.any.keys('unconfirmed');
    expect(others).to.deep.equal([]);
    expect(await used.json('secrets reseal', { env })).to.deep.equal([
      { resealed: 0, already_current: 1, unreadable: 0 },
    ]);
  });
});
