import { createKey } from '@sluice/management/create-key';
import { expect } from 'chai';
import supertest from 'supertest';
import { startApi, type TestApi } from '../../support/api.ts';

describe('api: changes of leads that are under way', () => {
  let api: TestApi;
  let key: string;
  before(async () => {
    api = await startApi();
    const made = await createKey(api.deps, {
      ...{ accountId: await api.addAccount(), name: 'A key', expiresAt: null },
      scopes: ['read:leads', 'read:conversations'],
    });
    if (made.status !== 'created') throw new Error(made.status);
    key = made.key;
  });
  after(() => api?.close());

  const get = (path: string) =>
    supertest(api.app)
      .get(`/api/public${path}`)
      .set({ authorization: `Bearer ${key}` });
  const segments = () => api.mongo.db.collection<{ _id: string }>('lead_segments');
  const untilOf = async (path: string) => Date.parse((await get(path)).body.updated_until);

  for (const path of ['/leads', '/conversations'])
    it(`updated_until of ${path} is before every write that may still be under way, in whatever process`, async () => {
      const before = Date.now();
      expect(await untilOf(path)).to.be.within(before - 20_000, Date.now() - 10_000);
      const openedAt = before - 60_000;
      await segments().insertOne({ _id: 'slow', schema_version: 1, opened_at: new Date(openedAt) } as never);
      try {
        expect(await untilOf(path)).to.be.at.most(openedAt - 10_000);
      } finally {
        await segments().deleteOne({ _id: 'slow' });
      }
      expect(await untilOf(path)).to.be.above(openedAt);
    });
});
