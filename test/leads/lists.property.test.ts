import { changeLead } from '@sluice/leads/change/change-lead';
import { listLeads } from '@sluice/leads/list/list-leads';
import { expect } from 'chai';
import fc from 'fast-check';
import { sized } from '../support/size.ts';
import { ACTOR, made, newAccount, useLeads } from './support.ts';

const RUNS = sized({ short: 25, middle: 100 });
const order = fc.constantFrom(
  { by: 'created_at', descending: false } as const,
  { by: 'created_at', descending: true } as const,
  { by: 'updated_at', descending: false } as const,
);
/** The writes between two pages. A number changes this lead of those that exist. */
const writes = fc.array(fc.oneof(fc.constant('create' as const), fc.nat(20)), { maxLength: 4 });

describe('a list of leads that is read page by page during writes', () => {
  const used = useLeads();

  it('shows each lead that existed throughout: once by created_at, at least once by ascending updated_at', async () => {
    const run = fc.asyncProperty(
      order,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 8 }),
      fc.array(writes, { maxLength: 8 }),
      async (list, limit, count, between) => {
        const accountId = newAccount();
        const ids: string[] = [];
        const create = async () =>
          void ids.push((await made(used.deps, accountId, { name: `Lead ${ids.length}` })).lead_id);
        for (let i = 0; i < count; i++) await create();
        const throughout = [...ids];
        const seen: string[] = [];
        let after: { at: number; lead_id: string } | undefined;
        for (let page = 0; ; page++) {
          const listed = await listLeads(used.deps, {
            accountId,
            filter: {},
            ...list,
            limit,
            ...(after !== undefined && { after }),
          });
          if (listed.status !== 'page') throw new Error(listed.status);
          seen.push(...listed.items.map(({ lead_id }) => lead_id));
          const last = listed.items.at(-1);
          if (!listed.more || last === undefined) break;
          after = { at: last[list.by], lead_id: last.lead_id };
          for (const write of between[page] ?? []) {
            if (write === 'create') await create();
            else {
              const patch = { company: `Company ${page} ${write}` };
              const leadId = ids[write % ids.length] as string;
              await changeLead(used.deps, { accountId, leadId, patch, actor: ACTOR });
            }
          }
        }
        for (const id of throughout) {
          const times = seen.filter((one) => one === id).length;
          if (list.by === 'created_at') expect(times, id).to.equal(1);
          else expect(times, id).to.be.at.least(1);
        }
      },
    );
    await fc.assert(run, { numRuns: RUNS });
  }).timeout(120_000);
});
