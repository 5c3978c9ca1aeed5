import { newId } from '@sluice/credentials/ids';
import { changeLead } from '@sluice/leads/change-lead';
import { createLead } from '@sluice/leads/create-lead';
import type { LeadDeps } from '@sluice/leads/deps';
import { expect } from 'chai';
import { mongo } from 'mongoose';
import { until } from '../support/until.ts';
import { ACTOR, made, newAccount, useLeads, writingInBatches } from './support.ts';

/** Later than any write may begin after its times were set. Milliseconds. */
const TOO_LATE_MS = 3000;

describe('the times of leads', function () {
  this.timeout(90_000);
  const used = useLeads();
  let accountId: string;
  beforeEach(() => {
    accountId = newAccount();
  });

  const create = (deps: LeadDeps, rest: object = {}) =>
    createLead(deps, {
      ...{ accountId, input: { email: 'a@example.com' }, matchOn: ['email'], actor: ACTOR, origin: 'api' },
      ...{ ids: { lead: newId('lead') }, ...rest },
    });

  it('are set when a create begins to write, not when it begins to wait for others', async () => {
    let clock = 1_795_250_000_000;
    let fail = (_: Error) => {};
    const first = new Promise<never>((_, reject) => {
      fail = reject;
    });
    const { leads } = used.deps;
    let [waiting, inserts] = [0, 0];
    const deps: LeadDeps = {
      ...used.deps,
      now: () => clock,
      inTurn(key, run) {
        waiting += 1;
        return used.deps.inTurn(key, run);
      },
      leads: {
        ...leads,
        insertLead: (lead: Parameters<typeof leads.insertLead>[0]) => {
          inserts += 1;
          return inserts === 1 ? first : leads.insertLead(lead);
        },
      },
    };
    const both = [create(deps), create(deps)];
    await until(() => waiting === 2 && inserts === 1);
    clock += 60_000;
    fail(new Error('away'));
    const [failed, written] = await Promise.allSettled(both);
    expect(failed?.status).to.equal('rejected');
    const result = written?.status === 'fulfilled' ? written.value : undefined;
    expect(result && 'lead' in result && result.lead.created_at).to.equal(clock);
  });

  /** The first write begins too long after its times. `times` gets those of each write. */
  function slow(deps: LeadDeps, times: number[]): LeadDeps {
    let clock = 1_795_250_000_000;
    const held = <W extends { readonly timedAt?: number; readonly lead: { readonly updated_at: number } }>(
      write: W,
    ): W => {
      times.push(write.lead.updated_at);
      const heldMs = times.length === 1 ? TOO_LATE_MS : 0;
      clock += 1000;
      return { ...write, timedAt: (write.timedAt ?? Number.NaN) - heldMs };
    };
    const { leads } = deps;
    return {
      ...deps,
      now: () => clock,
      leads: {
        ...leads,
        insertLead: (lead) => leads.insertLead(held(lead)),
        changeLead: (change) => leads.changeLead(held(change)),
      },
    };
  }

  for (const [name, depsOf] of [
    ['', () => used.deps],
    [' in a batch', () => writingInBatches(used.deps)],
  ] as const) {
    it(`are set again where a create${name} would begin to write too long after them`, async () => {
      const times: number[] = [];
      const created = await create(slow(depsOf(), times));
      expect(times).to.have.length(2);
      expect(times[1]).to.be.above(times[0] as number);
      expect('lead' in created && created.lead.updated_at).to.equal(times[1]);
    });

    it(`are set again where a change${name} would begin to write too long after them`, async () => {
      const { lead_id: leadId } = await made({ ...used.deps, now: () => 1_795_249_000_000 }, accountId, {
        name: 'Ada',
      });
      const times: number[] = [];
      const change = { accountId, leadId, patch: { company: 'Engines' }, actor: ACTOR };
      const changed = await changeLead(slow(depsOf(), times), change);
      expect(times).to.have.length(2);
      expect(times[1]).to.be.above(times[0] as number);
      expect(changed.status === 'changed' && changed.lead.updated_at).to.equal(times[1]);
    });
  }

  it('a create looks at its stage before each attempt', async () => {
    const { leads, leadSettings, settings } = used.deps;
    const deps: LeadDeps = {
      ...used.deps,
      leads: {
        ...leads,
        async insertLead() {
          const before = await settings.readFresh(accountId);
          const stages = before.stages.filter(({ id }) => id !== 'stg_won');
          await leadSettings.putSettings({ ...before, stages });
          await settings.readFresh(accountId);
          return 'late';
        },
      },
    };
    expect(await create(deps, { input: { name: 'Ada', stage: 'stg_won' }, matchOn: [] })).to.deep.equal({
      status: 'unknown_stage',
    });
  });

  it('every process sees since when a write is under way', async () => {
    const { Collection } = mongo;
    const { insertOne, insertMany, findOneAndUpdate, bulkWrite } = Collection.prototype;
    const all = { insertOne, insertMany, findOneAndUpdate, bulkWrite };
    const before = Date.now();
    const seen: Record<string, number | undefined> = {};
    /** Each operation must be seen by its own segment, so those of the operations before must have ended. */
    const quiet = () => until(async () => (await used.store.leads.oldestWrite()) === undefined);
    for (const [name, run] of Object.entries(all))
      Object.assign(Collection.prototype, {
        async [name](this: { collectionName: string }, ...wanted: never[]) {
          if (this.collectionName === 'leads') seen[name] = await used.store.leads.oldestWrite();
          return (run as (...wanted: never[]) => Promise<unknown>).apply(this, wanted);
        },
      });
    try {
      for (const deps of [used.deps, writingInBatches(used.deps)]) {
        await quiet();
        const { lead_id: leadId } = await made(deps, accountId, { name: 'Ada' });
        await quiet();
        await changeLead(deps, { accountId, leadId, patch: { company: 'Engines' }, actor: ACTOR });
      }
    } finally {
      Object.assign(Collection.prototype, all);
    }
    expect(Object.keys(seen)).to.have.members(Object.keys(all));
    for (const [name, at] of Object.entries(seen)) expect(at, name).to.be.within(before, Date.now());
  });
});
