import { describeLead } from '@sluice/leads/fields/describe-lead';
import type { Lead } from '@sluice/store/leads/lead-document';
import { jsonBytes } from '@sluice/store/leads/lead-search';
import { expect } from 'chai';
import fc from 'fast-check';

describe('the bytes of a lead in a page', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'ß', '日', ' '), maxLength: 300 });
  const value = fc.oneof(text, fc.integer(), fc.boolean());

  it('are those of its JSON, within 10 % and 200 bytes', () => {
    fc.assert(
      fc.property(text, text, fc.array(text), fc.array(fc.tuple(text, value)), (name, note, tags, fields) => {
        const lead: Lead = {
          ...{
            lead_id: `lead_${'x'.repeat(22)}`,
            account_id: 'acc_1',
            name,
            note,
            tags,
            fields: new Map(fields),
          },
          ...{ stage: 'stg_new', origin: 'api', conversation_id: null, claims: [], untold: [] },
          ...{ created_at: 1, updated_at: 1, stage_changed_at: 1, revision: 1, sequence: 1000 },
        };
        const bytes = Buffer.byteLength(JSON.stringify(describeLead(lead)));
        expect(jsonBytes(lead)).to.be.within(bytes * 0.9 - 200, bytes * 1.1 + 200);
      }),
    );
  });
});
