import { resealTwoFactors } from '@sluice/accounts/secrets/reseal-secrets';
import { createKeyring, open, seal } from '@sluice/credentials/seal';
import { totpContext } from '@sluice/credentials/totp-context';
import { connectStore, type Store } from '@sluice/store/connect';
import { expect } from 'chai';
import { useTestMongo } from '../support/mongo-server.ts';

const OLD_KEY = Buffer.alloc(32, 7);
const NEW_KEY = Buffer.alloc(32, 8);
const old = createKeyring({ current: OLD_KEY });
const both = createKeyring({ current: NEW_KEY, older: [OLD_KEY] });
const newAlone = createKeyring({ current: NEW_KEY });

describe('resealing the keys of second factors with a new SLUICE_SECRET_KEY', () => {
  const mongo = useTestMongo('two-factors');
  let store: Store;
  before(async () => {
    store = connectStore({ url: mongo.url, namespace: 'unused' });
    await store.opened();
  });
  after(async () => {
    await store?.close();
  });

  async function addUser(user_id: string): Promise<void> {
    const user = { user_id, email: `${user_id}@example.com`, name: 'Ada', password_hash: 'x' };
    await store.users.insertUser({ ...user, operator: false, created_at: 0 });
    const sealed_key = seal(old, totpContext(user_id), `KEY OF ${user_id}`);
    await store.twoFactors.putDraft(user_id, sealed_key);
    await store.twoFactors.turnOn(user_id, { sealed_key, last_step: 1, recovery_hashes: [], since: 0 });
  }

  it('keeps every key, makes the old SLUICE_SECRET_KEY unnecessary, and changes nothing when repeated', async () => {
    await addUser('usr_1');
    await addUser('usr_2');
    const { twoFactors } = store;
    const lost = await resealTwoFactors({ twoFactors, keyring: newAlone });
    expect(lost).to.deep.include({ resealed: 0, alreadyCurrent: 0 });
    expect(lost.unreadable.map(({ user_id }) => user_id)).to.have.members(['usr_1', 'usr_2']);
    expect(await resealTwoFactors({ twoFactors, keyring: both })).to.deep.include({ resealed: 2 });
    for (const { user_id, sealed_key } of await twoFactors.listSealedKeys())
      expect(open(newAlone, totpContext(user_id), sealed_key)).to.deep.equal({
        status: 'opened',
        secret: `KEY OF ${user_id}`,
      });
    const again = await resealTwoFactors({ twoFactors, keyring: both });
    expect(again).to.deep.equal({ resealed: 0, alreadyCurrent: 2, unreadable: [] });
  });

  it('cannot open a key that was moved to another user', async () => {
    const [one] = await store.twoFactors.listSealedKeys();
    expect(open(newAlone, totpContext('usr_3'), one?.sealed_key ?? '')).to.deep.equal({ status: 'damaged' });
  });
});
