import type { ApiKey } from '@sluice/store/accounts/api-keys';
import type { Source } from '@sluice/store/sources/source';
import { expect } from 'chai';
import { useStore } from './support.ts';

const source = (rest: Partial<Source> = {}): Source => ({
  source_id: 'src_1',
  account_id: 'acc_1',
  name: 'Booking',
  active: true,
  sealed_secret: 'v1.k.i.c.t',
  version: 1,
  rate_per_second: null,
  rate_burst: null,
  body_storage: 'all',
  created_at: 1_795_250_000_000,
  secret_rotated_at: null,
  previous_secret: null,
  ...rest,
});

const apiKey = (rest: Partial<ApiKey> = {}): ApiKey => ({
  key_id: 'key_1',
  account_id: 'acc_1',
  name: 'CRM',
  prefix: 'slc_live_abcdef',
  hash: 'ab'.repeat(32),
  scopes: ['webhooks', 'read:leads'],
  created_at: 1_795_250_000_000,
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
  last_used_from: null,
  ...rest,
});

describe('store: sources and API keys', () => {
  const used = useStore();

  it('returns a source as it was inserted', async () => {
    const inserted = source({ source_id: 'src_rated', rate_per_second: 5, rate_burst: 50 });
    const stored = await used.store.sources.insertSource(inserted);
    expect(await used.store.sources.findSource('src_rated')).to.deep.equal(stored);
    const { renamed_at: _, ...given } = stored;
    expect(given).to.deep.equal(inserted);
    expect(await used.store.sources.findSource('src_none')).to.equal(undefined);
    const existing = await used.store.sources.existingSources(['src_none', 'src_rated']);
    expect([...existing]).to.deep.equal(['src_rated']);
  });

  it('increments the version of a source with every change, also with concurrent changes', async () => {
    const stored = await used.store.sources.insertSource(source());
    const { changeSource } = used.store.sources;
    expect(await changeSource('src_1', { active: false })).to.deep.equal({
      ...stored,
      active: false,
      version: 2,
    });
    const at = 1_795_250_000_005;
    const previous_secret = {
      sealed_secret: 'v1.old',
      replaced_at: at,
      accepted_until: null,
      forget_at: at + 1,
    };
    const rotated = { sealed_secret: 'v1.new', secret_rotated_at: at, previous_secret };
    expect(await changeSource('src_1', rotated)).to.deep.equal({
      ...stored,
      ...rotated,
      active: false,
      version: 3,
    });
    const versions = (await Promise.all([1, 2, 3, 4, 5].map(() => changeSource('src_1', undefined)))).map(
      (s) => s?.version,
    );
    expect(versions.sort()).to.deep.equal([4, 5, 6, 7, 8]);
    expect(await changeSource('src_none', { active: true })).to.equal(undefined);
  });

  it('finds an API key by its hash, and keeps the time of its first revocation', async () => {
    await used.store.apiKeys.insertApiKey(apiKey());
    expect(await used.store.apiKeys.findApiKeyByHash(apiKey().hash)).to.deep.equal(apiKey());
    expect(await used.store.apiKeys.revokeApiKey('key_1', 7)).to.deep.equal(apiKey({ revoked_at: 7 }));
    expect(await used.store.apiKeys.revokeApiKey('key_1', 9)).to.deep.equal(apiKey({ revoked_at: 7 }));
    expect(await used.store.apiKeys.findApiKeyByHash(apiKey().hash)).to.deep.equal(apiKey({ revoked_at: 7 }));
    expect(await used.store.apiKeys.listApiKeys({ account_id: 'acc_1' })).to.deep.equal([
      apiKey({ revoked_at: 7 }),
    ]);
    expect(await used.store.apiKeys.revokeApiKey('key_none', 9)).to.equal(undefined);
    expect(await used.store.apiKeys.findApiKeyByHash('cd')).to.equal(undefined);
  });

  it('keeps the last use of an API key with its place, in whatever order the uses are recorded', async () => {
    await used.store.apiKeys.insertApiKey(apiKey({ key_id: 'key_used', hash: 'aa' }));
    const use = (at: number) => ({ at, address: `192.0.2.${at}`, route: 'GET /me' });
    for (const at of [5, 9, 7]) await used.store.apiKeys.noteUses(new Map([['key_used', use(at)]]));
    const { at, ...place } = use(9);
    expect(await used.store.apiKeys.findApiKey('key_used')).to.deep.equal(
      apiKey({ key_id: 'key_used', hash: 'aa', last_used_at: at, last_used_from: place }),
    );
  });

  it('leaves out API keys that were revoked before a given time', async () => {
    const account_id = 'acc_history';
    for (const [key_id, revoked_at] of [
      ['key_live', null],
      ['key_late', 10],
      ['key_early', 9],
    ] as const)
      await used.store.apiKeys.insertApiKey(apiKey({ key_id, account_id, hash: key_id, revoked_at }));
    const ids = async (revoked_since?: number) => {
      const query = { account_id, ...(revoked_since !== undefined && { revoked_since }) };
      return (await used.store.apiKeys.listApiKeys(query)).map(({ key_id }) => key_id);
    };
    expect(await ids(10)).to.have.members(['key_live', 'key_late']);
    expect(await ids()).to.have.members(['key_live', 'key_late', 'key_early']);
  });

  it('finds API keys by their hashes, one for each hash asked for', async () => {
    const key = apiKey({ key_id: 'key_hashed', hash: 'bb' });
    await used.store.apiKeys.insertApiKey(key);
    const found = await used.store.apiKeys.findApiKeysByHash(['cc', 'bb', 'bb']);
    expect(found).to.deep.equal([undefined, key, key]);
  });
});
