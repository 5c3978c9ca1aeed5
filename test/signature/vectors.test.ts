import { readFileSync } from 'node:fs';
import { signBody } from '@sluice/signature/sign';
import { checkHeaders, checkSignature, verifyingKey } from '@sluice/signature/verify';
import { expect } from 'chai';

interface Vector {
  readonly name: string;
  readonly secret: string;
  readonly timestamp: string;
  readonly body_base64: string;
  readonly signature: string;
}

const { vectors } = JSON.parse(readFileSync(new URL('signatures.json', import.meta.url), 'utf8')) as {
  vectors: Vector[];
};

describe('signature: vectors of an independent implementation', () => {
  for (const { name, secret, timestamp, body_base64, signature } of vectors) {
    const body = Buffer.from(body_base64, 'base64');

    it(`${name}: signing returns the same header`, () => {
      expect(signBody({ secret, timestamp, body })).to.equal(signature);
    });

    it(`${name}: verifying accepts it, and rejects it with any change`, () => {
      const key = verifyingKey(secret);
      expect(checkSignature(key, timestamp, body, signature)).to.equal(true);
      expect(checkSignature(verifyingKey(`${secret}0`), timestamp, body, signature)).to.equal(false);
      expect(checkSignature(key, `${timestamp}0`, body, signature)).to.equal(false);
      expect(checkSignature(key, timestamp, Buffer.concat([body, Buffer.from(' ')]), signature)).to.equal(
        false,
      );
      const at = signature.length - 1;
      const changed = signature.slice(0, at) + (signature[at] === '0' ? '1' : '0');
      expect(checkSignature(key, timestamp, body, changed)).to.equal(false);
    });
  }

  it('finds the headers of each plausible at its time', () => {
    for (const { signature, timestamp } of vectors) {
      expect(checkHeaders({ signature, timestamp }, Number(timestamp) * 1000).outcome).to.equal('plausible');
    }
  });
});
