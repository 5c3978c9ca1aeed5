import { inspect } from 'node:util';
import { checkSignature, verifyingKey } from '@sluice/signature/verify';
import { expect } from 'chai';

const SECRET = 'whsec_secret';

describe('verifying key', () => {
  it('never shows the secret when it is printed', () => {
    const key = verifyingKey(SECRET);
    const shown = [JSON.stringify(key), String(key), inspect(key, { showHidden: true, depth: 9 })].join();
    expect(shown).not.to.include(SECRET);
    expect(shown).not.to.include(Buffer.from(SECRET).toString('hex'));
    expect(shown).not.to.include([...Buffer.from(SECRET)].join());
  });

  it('verifies any number of requests', () => {
    const key = verifyingKey(SECRET);
    // The HMAC-SHA256 of "1.{}" with this secret, by openssl.
    const signature = 'sha256=071179a7568b26663a58dba6a6cc6add51e2bcfda2b517a410d06ef10d541ef5';
    const verify = () => checkSignature(key, '1', Buffer.from('{}'), signature);
    expect([verify(), verify(), verify()]).to.deep.equal([true, true, true]);
  });
});
