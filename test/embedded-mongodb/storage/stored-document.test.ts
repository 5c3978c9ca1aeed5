import { StoredDocument } from '@sluice/embedded-mongodb/storage/stored-document';
import { expect } from 'chai';

const everyByte = (): Buffer => Buffer.from(Array.from({ length: 512 }, (_, i) => i & 255));

describe('embedded-mongodb: a stored document', () => {
  it('returns every byte unchanged, also of a replacement', () => {
    const stored = new StoredDocument(1, everyByte());
    expect(stored.bytes.equals(everyByte())).to.equal(true);
    expect(stored.size).to.equal(512);
    stored.rewrite(everyByte().reverse());
    expect(stored.bytes.equals(everyByte().reverse())).to.equal(true);
  });

  it('is a copy: a later change of the given or the returned bytes does not change it', () => {
    const message = everyByte();
    const stored = new StoredDocument(1, message.subarray(0, 256));
    message.fill(0);
    stored.bytes.fill(0);
    expect(stored.bytes.equals(everyByte().subarray(0, 256))).to.equal(true);
    stored.rewrite(message.fill(7));
    message.fill(8);
    expect(stored.bytes.equals(Buffer.alloc(512, 7))).to.equal(true);
  });
});
