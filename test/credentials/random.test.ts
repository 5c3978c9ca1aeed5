import { BASE62, encodeBase62 } from '@sluice/credentials/base62';
import { newId } from '@sluice/credentials/ids';
import { randomBase62 } from '@sluice/credentials/random-base62';
import { newSigningSecret } from '@sluice/credentials/signing-secret';
import { expect } from 'chai';

describe('random ids and secrets', () => {
  it('have a prefix and 22 characters of base 62 as ids', () => {
    expect(newId('src')).to.match(/^src_[0-9A-Za-z]{22}$/);
    expect(newId('dlv')).to.match(/^dlv_[0-9A-Za-z]{22}$/);
  });

  it('have whsec_ and 43 characters of base 62 as signing secrets', () => {
    expect(newSigningSecret()).to.match(/^whsec_[0-9A-Za-z]{43}$/);
  });

  it('never repeat, also across refills of the pool', () => {
    const ids = new Set(Array.from({ length: 20_000 }, () => newId('req')));
    expect(ids.size).to.equal(20_000);
  });

  it('have every character with the same probability', () => {
    const draws = 620_000;
    const counts = new Map<string, number>();
    for (const character of randomBase62(draws)) counts.set(character, (counts.get(character) ?? 0) + 1);
    const expected = draws / 62;
    const chiSquared = [...BASE62].reduce(
      (sum, c) => sum + ((counts.get(c) ?? 0) - expected) ** 2 / expected,
      0,
    );
    // 61 degrees of freedom: beyond 140 once in 30 million runs. Bytes taken modulo 62 would score some 2,700.
    expect(chiSquared).to.be.below(140);
  });

  it('pad numbers in base 62 to a fixed length', () => {
    expect(encodeBase62(0, 6)).to.equal('000000');
    expect(encodeBase62(61, 2)).to.equal('0z');
    expect(encodeBase62(2 ** 32 - 1, 6)).to.equal('4gfFC3');
  });
});
