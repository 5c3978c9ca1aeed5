import { expect } from 'chai';
import { usePublicApi } from '../support/use-public-api.ts';

describe('api: changes of leads that are under way', () => {
  const { api, call } = usePublicApi(['read:leads', 'read:conversations']);

  const segments = () => api().mongo.db.collection<{ _id: string }>('lead_segments');
  const untilOf = async (path: string) => Date.parse((await call('get', path)).body.updated_until);

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
