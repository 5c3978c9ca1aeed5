import { openConnection, primaryUrl } from '@sluice/store/connection/connection';
import { expect } from 'chai';
import { useStore } from './support.ts';

describe('store: the URL of MongoDB', () => {
  const used = useStore();

  for (const [url, primary] of [
    ['mongodb://a/?readPreference=secondaryPreferred', 'mongodb://a/'],
    [
      'mongodb://a,b/db?replicaSet=rs0&readpreference=nearest&tls=true',
      'mongodb://a,b/db?replicaSet=rs0&tls=true',
    ],
    ['mongodb://a/?readPreferenceTags=dc:x&maxStalenessSeconds=120&w=1', 'mongodb://a/?w=1'],
    ['mongodb+srv://u:p%3F@a/?retryWrites=true', 'mongodb+srv://u:p%3F@a/?retryWrites=true'],
    ['mongodb://a/db', 'mongodb://a/db'],
  ] as const)
    it(`is used without its read preference: ${url}`, () => {
      expect(primaryUrl(url)).to.equal(primary);
    });

  it('never sends a read to a secondary, whatever the URL prefers', async () => {
    const { url } = used.mongo;
    const preferring = `${url}${url.includes('?') ? '&' : '?'}readPreference=secondaryPreferred&maxStalenessSeconds=120`;
    const { connection, opened, close } = openConnection({ url: preferring, namespace: 'unused' });
    try {
      await opened();
      expect(connection.getClient().options.readPreference.mode).to.equal('primary');
      expect(connection.collection('api_keys').find({}).readPreference.mode).to.equal('primary');
    } finally {
      await close();
    }
  });
});
