import { decodePayload, encodeRecord, RECORD_HEAD } from '@sluice/embedded-mongodb/journal/record';
import { newDocument, newDocumentFromBytes } from '@sluice/embedded-mongodb/storage/new-document';
import { updatedDocument, upsertedDocument } from '@sluice/embedded-mongodb/update/apply-update';
import { asEncodedReplacement } from '@sluice/embedded-mongodb/update/encoded-replacement';
import { parseUpdate } from '@sluice/embedded-mongodb/update/parse-update';
import { serialize } from 'bson';
import { expect } from 'chai';

/** Encoded as a client sends it: part of a longer message. */
const encoded = (fields: object): Buffer =>
  Buffer.concat([Buffer.from('head'), serialize(fields)]).subarray(4);
const stored = encoded({ _id: 'evt_1', title: 'Yoga' });
const replacement = asEncodedReplacement(encoded({ title: 'Pilates' }));

/** How a document comes into a collection. */
const WAYS: Record<string, () => Buffer | undefined> = {
  'inserted as it came': () => newDocumentFromBytes(stored).bytes,
  'inserted with an _id that needs a look': () =>
    newDocumentFromBytes(encoded({ _id: { a: 1 }, title: 'Yoga' })).bytes,
  'inserted without an _id': () => newDocument({ title: 'Yoga' }).bytes,
  'changed by operators': () =>
    updatedDocument(stored, parseUpdate({ $set: { title: 'Pilates' } }, 0))?.bytes,
  replaced: () => (replacement ? updatedDocument(stored, replacement)?.bytes : undefined),
  upserted: () => (replacement ? upsertedDocument({ _id: 'evt_2' }, replacement).bytes : undefined),
  'read from the journal': () => {
    const record = encodeRecord({ kind: 'put', namespace: 't.rows', bytes: stored });
    const change = decodePayload(record.subarray(RECORD_HEAD));
    return change.kind === 'put' ? change.bytes : undefined;
  },
};

describe('embedded-mongodb: the memory of a document', () => {
  for (const [way, made] of Object.entries(WAYS)) {
    it(`${way}, a document keeps no more memory than its bytes take`, () => {
      const bytes = made();
      expect(bytes?.length).to.be.greaterThan(0);
      expect(bytes?.buffer.byteLength).to.equal(bytes?.length);
    });
  }
});
