import { decodeExact, decodePromoted } from '@sluice/embedded-mongodb/bson/decode';
import { fieldsDecoder } from '@sluice/embedded-mongodb/bson/decode-fields';
import { isSound } from '@sluice/embedded-mongodb/bson/is-sound';
import { newDocument, newDocumentFromBytes } from '@sluice/embedded-mongodb/storage/new-document';
import { updatedDocument, upsertedDocument } from '@sluice/embedded-mongodb/update/apply-update';
import { asEncodedReplacement } from '@sluice/embedded-mongodb/update/encoded-replacement';
import { parseUpdate } from '@sluice/embedded-mongodb/update/parse-update';
import { BSONRegExp, Double, Int32, Long, ObjectId, serialize } from 'bson';
import { expect } from 'chai';
import fc from 'fast-check';

const scalar = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.boolean(),
  fc.constant(null),
  fc.integer().map((n) => new Int32(n)),
  fc.double().map((n) => new Double(n)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((n) => Long.fromBigInt(n)),
  fc.date({ noInvalidDate: true }),
  fc.constant(new BSONRegExp('a.b')),
);
const name = fc.oneof(fc.stringMatching(/^[a-z]{1,8}$/), fc.constantFrom('_id', '$set', 'ключ', '', 'a.b'));
const { fields } = fc.letrec<{ fields: Record<string, unknown>; value: unknown }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, scalar, fc.array(tie('value'), { maxLength: 3 }), tie('fields')),
  fields: fc.dictionary(name, tie('value'), { maxKeys: 5 }) as fc.Arbitrary<Record<string, unknown>>,
}));

const encode = (document: Record<string, unknown>): Buffer => Buffer.from(serialize(document));
const LEVELS = 180;

/** The outcome of both paths: the bytes, or the error. */
function outcomeOf<T>(run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    return String((error as Error).message);
  }
}

describe('embedded-mongodb: documents that are stored without decoding', () => {
  it('can be decoded after any change of their bytes', () => {
    const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
    let sound = 0;
    fc.assert(
      fc.property(fields, fc.array(change, { maxLength: 3 }), (document, changes) => {
        const bytes = encode(document);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        if (!isSound(bytes, LEVELS)) return;
        sound += 1;
        decodeExact(bytes);
      }),
      { numRuns: 1500 },
    );
    expect(sound).to.be.above(100);
  });

  it('are no deeper than the limit', () => {
    let document: Record<string, unknown> = {};
    for (let depth = 1; depth < LEVELS; depth++) document = { below: document };
    expect(isSound(encode(document), LEVELS)).to.equal(true);
    expect(isSound(encode({ below: document }), LEVELS)).to.equal(false);
  });

  it('are inserted like decoded ones', () => {
    fc.assert(
      fc.property(fields, scalar, (document, id) => {
        const given = { _id: id, ...document };
        const bytes = outcomeOf(() => newDocumentFromBytes(encode(given)).bytes);
        expect(bytes).to.deep.equal(outcomeOf(() => newDocument(decodeExact(encode(given))).bytes));
      }),
    );
  });

  it('replace, or are upserted, like decoded ones', () => {
    let encoded = 0;
    fc.assert(
      fc.property(fields, fields, (before, after) => {
        const { _id: _, ...others } = before;
        const stored = newDocument({ _id: new ObjectId('0123456789abcdef01234567'), ...others }).bytes;
        const replacement = asEncodedReplacement(encode(after));
        if (replacement === null) return;
        encoded += 1;
        const update = parseUpdate(decodeExact(encode(after)), 0);
        expect(updatedDocument(stored, replacement)).to.deep.equal(maybeBytes(stored, update));
        const filter = { _id: 'x', revision: 1 };
        expect(upsertedDocument(filter, replacement)).to.deep.equal(upsertedDocument(filter, update));
      }),
      { numRuns: 200 },
    );
    expect(encoded).to.be.above(20);
  });

  it('give the same fields when read in part or whole', () => {
    const names = fc.uniqueArray(name, { maxLength: 4 });
    fc.assert(
      fc.property(fields, names, (document, wanted) => {
        const bytes = encode(document);
        const whole = decodePromoted(bytes);
        const part = fieldsDecoder(new Set(wanted))(bytes);
        for (const one of wanted) expect(part[one]).to.deep.equal(whole[one]);
      }),
    );
  });

  it('never contain another _id or an operator', () => {
    for (const document of [{ _id: 1 }, { a: 1, _id: 1 }, { $set: { a: 1 } }, { a: 1, $b: 1 }]) {
      expect(asEncodedReplacement(encode(document))).to.equal(null);
    }
  });
});

function maybeBytes(stored: Buffer, update: Parameters<typeof updatedDocument>[1]) {
  const after = updatedDocument(stored, update);
  return after && { bytes: after.bytes };
}
