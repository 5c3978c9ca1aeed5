import {
  apiKeyPrefix,
  checkApiKeyForm,
  hashApiKey,
  newApiKey,
  sameApiKeyHash,
} from '@sluice/credentials/api-key';
import { BASE62 } from '@sluice/credentials/base62';
import { expect } from 'chai';

describe('API keys', () => {
  it('have the form slc_live_, 43 characters of secret, 6 of checksum', () => {
    expect(newApiKey().key).to.match(/^slc_live_[0-9A-Za-z]{49}$/);
  });

  it('are recognised without a lookup, with the prefix and hash of their creation', () => {
    const { key, prefix, hash } = newApiKey();
    expect(checkApiKeyForm(key)).to.deep.equal({ status: 'plausible', prefix, hash });
    expect(prefix).to.equal(key.slice(0, 'slc_live_'.length + 6));
    expect(apiKeyPrefix(key)).to.equal(prefix);
  });

  it('with one changed character are rejected without a lookup', () => {
    const { key } = newApiKey();
    for (let at = 'slc_live_'.length; at < key.length; at++) {
      const other = BASE62[(BASE62.indexOf(key.charAt(at)) + 1) % 62];
      const changed = key.slice(0, at) + other + key.slice(at + 1);
      expect(checkApiKeyForm(changed), `character ${at}`).to.deep.equal({ status: 'checksum_wrong' });
    }
  });

  for (const [what, text] of [
    ['nothing', ''],
    ['another prefix', newApiKey().key.replace('slc', 'abc')],
    ['a character too few', newApiKey().key.slice(0, -1)],
    ['a character too many', `${newApiKey().key}0`],
    ['a newline at the end', `${newApiKey().key}\n`],
    ['characters beyond base 62', newApiKey().key.replace(/.$/, '-')],
  ] as const) {
    it(`are malformed with ${what}`, () => {
      expect(checkApiKeyForm(text)).to.deep.equal({ status: 'malformed' });
    });
  }

  it('are stored as the SHA-256 of the whole key', () => {
    expect(hashApiKey('abc')).to.equal('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('are compared by hash with any text', () => {
    const { hash } = newApiKey();
    expect(sameApiKeyHash(hash, hash)).to.equal(true);
    expect(sameApiKeyHash(hash, newApiKey().hash)).to.equal(false);
    expect(sameApiKeyHash(hash, '')).to.equal(false);
  });
});
