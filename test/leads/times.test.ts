import { newId } from '@sluice/credentials/ids';
import { createLead } from '@sluice/leads/change/create-lead';
import type { LeadDeps } from '@sluice/leads/deps';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { ACTOR, newAccount, useLeads } from './support.ts';

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
        writeLead(write) {
          inserts += 1;
          return inserts === 1 ? first : leads.writeLead(write);
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

  it('a create looks at its stage before each attempt', async () => {
    const { leads, leadSettings, settings } = used.deps;
    const deps: LeadDeps = {
      ...used.deps,
      leads: {
        ...leads,
        async writeLead() {
          const before = await settings.readFresh(accountId);
          const stages = before.stages.filter(({ id }) => id !== 'stg_won');
          await leadSettings.putSettings({ ...before, stages });
          await settings.readFresh(accountId);
          return { status: 'lost_race' };
        },
      },
    };
    expect(await create(deps, { input: { name: 'Ada', stage: 'stg_won' }, matchOn: [] })).to.deep.equal({
      status: 'unknown_stage',
    });
  });
});
