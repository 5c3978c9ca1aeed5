import { leadInput, leadPatch } from '@sluice/contract/lead/lead';
import { newId } from '@sluice/credentials/ids';
import { changeLead } from '@sluice/leads/change/change-lead';
import { createLead } from '@sluice/leads/change/create-lead';
import { createLeadDeps } from '@sluice/leads/deps';
import { mergePatch } from '@sluice/leads/fields/merge-patch';
import { expect } from 'chai';
import fc from 'fast-check';
import { sized } from '../support/size.ts';
import { ACTOR, newAccount, useLeads } from './support.ts';

const RUNS = sized({ short: 25, middle: 100 });
const email = fc.constantFrom('a@x.de', 'A@X.de', 'b@x.de', 'c@x.de');
const phone = fc.constantFrom('+49 30 901820', '+4930901820', '+49 30 901821');
const external_id = fc.constantFrom('1', '2');
const input = fc
  .record({ email, phone, external_id, name: fc.constantFrom('n', 'm') }, { requiredKeys: ['name'] })
  .map((one) => leadInput.parse(one));
const matchOn = fc.subarray(['email', 'phone', 'external_id'] as const, { minLength: 1 });
const action = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), input, matchOn }),
  fc.record({
    kind: fc.constant('change' as const),
    patch: fc.record({ email: fc.option(email), phone: fc.option(phone) }, { requiredKeys: [] }),
    which: fc.nat(5),
  }),
);

describe('leads under concurrent creates and changes', () => {
  const used = useLeads();

  it('hold each claim once, and only claims of values that they have', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 2, maxLength: 12 }), async (actions) => {
        const accountId = newAccount();
        const ids: string[] = [];
        // Two processes: they share no queue of writers.
        const processes = [0, 1].map(() => createLeadDeps(used.store, { publisher: used.publisher }));
        await Promise.all(
          actions.map(async (one, index) => {
            const deps = processes[index % 2] ?? used.deps;
            if (one.kind === 'create') {
              const ids_ = { lead: newId('lead') };
              ids.push(ids_.lead);
              const common = { accountId, actor: ACTOR, origin: 'api', ids: ids_ } as const;
              await createLead(deps, { ...common, input: one.input, matchOn: one.matchOn });
            } else {
              const leadId = ids[one.which % Math.max(1, ids.length)] ?? 'lead_none';
              await changeLead(deps, { accountId, leadId, patch: leadPatch.parse(one.patch), actor: ACTOR });
            }
          }),
        );
        const stored = await used.mongo.db.collection('leads').find({ account_id: accountId }).toArray();
        const claims = stored.flatMap((lead) => lead.claims ?? []);
        expect(new Set(claims).size).to.equal(claims.length);
        for (const lead of stored) {
          const most = (lead.email === undefined ? 0 : 1) + (lead.phone === undefined ? 0 : 1);
          expect(lead.claims?.length ?? 0).to.be.at.most(most);
        }
        const externalIds = stored.flatMap((lead) => lead.external_id ?? []);
        expect(new Set(externalIds).size).to.equal(externalIds.length);
      }),
      { numRuns: RUNS },
    );
  }).timeout(120_000);
});

describe('a merge patch', () => {
  const value = fc.oneof(fc.string({ maxLength: 3 }), fc.integer(), fc.boolean(), fc.constant(null));
  const fields = fc.dictionary(fc.constantFrom('a', 'b', 'c.d', '$e'), value, { noNullPrototype: true });

  it('has the result of RFC 7396 on fields, and changes nothing when it is applied again', () => {
    fc.assert(
      fc.property(fc.array(fields, { maxLength: 4 }), (patches) => {
        let content = mergePatch({ tags: [], fields: new Map() }, {}, null);
        const model: Record<string, unknown> = {};
        for (const patch of patches) {
          content = mergePatch(content, { fields: patch }, null);
          for (const [name, one] of Object.entries(patch)) {
            if (one === null || one === '') delete model[name];
            else model[name] = one;
          }
          expect(Object.fromEntries(content.fields)).to.deep.equal(model);
          expect(mergePatch(content, { fields: patch }, null)).to.deep.equal(content);
        }
      }),
    );
  });
});
