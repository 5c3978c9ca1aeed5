import { leadKeys } from '@sluice/leads/fields/lead-keys';
import { fieldsOf, fromDocument } from '@sluice/store/leads/lead-conversion';
import type { Lead } from '@sluice/store/leads/lead-document';
import { leadFromBytes } from '@sluice/store/leads/lead-from-bytes';
import { toStoredChange } from '@sluice/store/pending/stored-change';
import { expect } from 'chai';
import fc from 'fast-check';
import { mongo } from 'mongoose';

const documentOf = (some: Lead) => ({
  _id: some.lead_id,
  ...fieldsOf(some, leadKeys(some, null)),
  updated_at: new Date(some.updated_at),
  untold: some.untold.map(toStoredChange),
});
const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).filter((some) => some.isWellFormed());
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true }));
const at = fc.integer({ min: -62_000_000_000_000, max: 250_000_000_000_000 });
const change = fc.record({
  ...{ sequence: fc.nat(2 ** 50), kind: fc.constant('lead.updated' as const), at, data: fc.constant({}) },
  ...{ actor: fc.constant({ type: 'api_key' as const, id: 'key_1' }) },
});

/** Any lead, with or without each field that may be absent. */
const lead: fc.Arbitrary<Lead> = fc
  .record(
    {
      ...{ lead_id: text, account_id: text, stage: text, origin: fc.constant('api' as const) },
      ...{
        created_at: at,
        updated_at: at,
        stage_changed_at: at,
        revision: fc.nat(),
        sequence: fc.nat(2 ** 50),
      },
      ...{
        name: text,
        company: text,
        email: text,
        phone: text,
        phone_e164: text,
        external_id: text,
        note: text,
      },
      tags: fc.array(text, { maxLength: 20 }),
      fields: fc
        .array(fc.tuple(text, fc.oneof(text, number, fc.boolean(), fc.constant(null))), { maxLength: 5 })
        .map((entries) => new Map(entries)),
      ...{ claims: fc.array(text, { maxLength: 2 }), conversation_id: fc.option(text) },
      untold: fc.array(change, { maxLength: 3 }),
    },
    {
      requiredKeys: [
        ...([
          'lead_id',
          'account_id',
          'stage',
          'origin',
          'created_at',
          'updated_at',
          'stage_changed_at',
        ] as const),
        ...(['revision', 'sequence', 'tags', 'fields', 'claims', 'conversation_id', 'untold'] as const),
      ],
    },
  )
  .map((some) => some as unknown as Lead);

describe('a lead from the bytes of the server', () => {
  const bytesOf = (document: object) =>
    Buffer.from(mongo.BSON.serialize(document, { ignoreUndefined: true }));

  it('is the one that the driver reads', () => {
    fc.assert(
      fc.property(lead, (some) => {
        const bytes = bytesOf(documentOf(some));
        expect(leadFromBytes(bytes)).to.deep.equal(
          fromDocument(mongo.BSON.deserialize(bytes) as Parameters<typeof fromDocument>[0]),
        );
      }),
    );
  });

  it('is read by the driver if it has a field that is not known', () => {
    const [some] = fc.sample(lead, 1) as [Lead];
    const bytes = bytesOf({
      added: 1,
      ...documentOf(some),
      long: mongo.BSON.Long.fromNumber(7),
    });
    expect(leadFromBytes(bytes)).to.deep.equal(leadFromBytes(bytesOf(documentOf(some))));
  });
});
