import { createKeyring, type Keyring, open, seal, sealedWith } from '@sluice/credentials/seal';
import { whyUnopened } from '@sluice/credentials/why-unopened';
import { expect } from 'chai';

const key = (byte: number) => Buffer.alloc(32, byte);
const ring = createKeyring({ current: key(1) });
const SECRET = 'whsec_Grüße🎉';

describe('a sealed secret', () => {
  it('opens with its key and for its source', () => {
    expect(open(ring, 'src_1', seal(ring, 'src_1', SECRET))).to.deep.equal({
      status: 'opened',
      secret: SECRET,
    });
  });

  it('shows no part of the secret, and differs each time', () => {
    const sealed = seal(ring, 'src_1', SECRET);
    expect(sealed)
      .to.match(/^v1(\.[\w-]+){4}$/)
      .and.not.contain('whsec');
    expect(seal(ring, 'src_1', SECRET)).to.not.equal(sealed);
  });

  it('does not open for another source', () => {
    expect(open(ring, 'src_2', seal(ring, 'src_1', SECRET))).to.deep.equal({ status: 'damaged' });
  });

  it('reports a key that is not on the keyring', () => {
    const opened = open(createKeyring({ current: key(2) }), 'src_1', seal(ring, 'src_1', SECRET));
    expect(opened).to.deep.equal({ status: 'unknown_key', keyId: ring.current.id });
  });

  it('opens with an older key', () => {
    const rotated = createKeyring({ current: key(2), older: [key(1)] });
    expect(open(rotated, 'src_1', seal(ring, 'src_1', SECRET))).to.deep.equal({
      status: 'opened',
      secret: SECRET,
    });
    expect(seal(rotated, 'src_1', SECRET).split('.')[1]).to.equal(rotated.current.id);
  });

  it('is damaged or has an unknown key after any change, without throwing', () => {
    const sealed = seal(ring, 'src_1', SECRET);
    for (let at = 0; at < sealed.length; at++) {
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
      // The last character of a part may have bits that base64 does not use.
      if (decoded(changed) === decoded(sealed)) continue;
      expect(open(ring, 'src_1', changed).status, `character ${at}`).to.not.equal('opened');
    }
  });

  it('is damaged with a shortened or missing part, because a short tag could be guessed', () => {
    const parts = seal(ring, 'src_1', SECRET).split('.');
    for (let at = 2; at < parts.length; at++) {
      const bytes = Buffer.from(parts[at] as string, 'base64url');
      for (const length of [0, 1, 4, 8, bytes.length - 1]) {
        const cut = bytes.subarray(0, length).toString('base64url');
        expect(
          open(ring, 'src_1', parts.with(at, cut).join('.')),
          `part ${at}, ${length} bytes`,
        ).to.deep.equal({
          status: 'damaged',
        });
      }
      expect(open(ring, 'src_1', parts.slice(0, at).join('.')), `${at} parts`).to.deep.equal({
        status: 'damaged',
      });
    }
    expect(open(ring, 'src_1', `${parts.join('.')}.`)).to.deep.equal({ status: 'damaged' });
  });

  it('names its key', () => {
    expect(sealedWith(seal(ring, 'src_1', SECRET))).to.equal(ring.current.id);
    expect(sealedWith('damaged')).to.equal(undefined);
  });

  it('explains why it does not open, with the next step and without the secret', () => {
    const sealed = seal(ring, 'src_1', SECRET);
    const why = (keyring: Keyring, source: string) => {
      const opened = open(keyring, source, sealed);
      return opened.status === 'opened' ? 'opened' : whyUnopened(opened);
    };
    expect(why(createKeyring({ current: key(2) }), 'src_1'))
      .to.contain(`fingerprint ${ring.current.id}`)
      .and.contain('SLUICE_SECRET_KEYS_OLD');
    expect(why(ring, 'src_2')).to.contain('(damaged). Rotate the secret of the source.');
  });

  for (const text of ['', 'v1', 'v1....', 'v2.a.b.c.d', 'v1.a.b.c', 'v1.a.b.c.d.e', '\u{0}']) {
    it(`is damaged with the text ${JSON.stringify(text)}`, () => {
      expect(open(ring, 'src_1', text)).to.deep.equal({ status: 'damaged' });
    });
  }

  it('needs a key of 32 bytes', () => {
    expect(() => createKeyring({ current: Buffer.alloc(16) })).to.throw(RangeError, '32 bytes');
  });
});

function decoded(sealed: string): string {
  const [version, keyId, ...parts] = sealed.split('.');
  return [version, keyId, ...parts.map((part) => Buffer.from(part, 'base64url').toString('hex'))].join('.');
}
