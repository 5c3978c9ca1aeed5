import { setPlan } from '@sluice/accounts/account/set-plan';
import { showSecret } from '@sluice/accounts/secrets/show-secret';
import { createSource } from '@sluice/accounts/sources/create-source';
import { loadSourceRecord } from '@sluice/admission/load-source-record';
import { expect } from 'chai';
import { use } from '../support/use.ts';
import { keyring, NOW, openInstallation } from './support.ts';

describe('the management of sources', () => {
  const here = use(openInstallation);

  it('creates a source that is published at once, and stores its secret encrypted only', async () => {
    const { source, signingSecret } = await here.newSource();
    expect(source).to.include({
      account_id: 'acc_1',
      name: 'Booking',
      active: true,
      version: 1,
      created_at: NOW,
    });
    expect(signingSecret).to.match(/^whsec_[0-9A-Za-z]{43}$/);
    expect(JSON.stringify(source)).to.not.contain(signingSecret);
    expect(showSecret(keyring, source)).to.deep.equal({ status: 'opened', secret: signingSecret });
    const record = await loadSourceRecord(here.deps, source.source_id);
    expect(record).to.include({ plan: 'unlimited', version: 1, rate_per_second: null });
    expect(await here.deps.directory.read(source.source_id)).to.deep.equal({ state: 'published', record });
  });

  it('creates no source for an account that does not exist', async () => {
    expect(await createSource(here.deps, { accountId: 'acc_none', name: 'x' })).to.deep.equal({
      status: 'account_not_found',
    });
    expect(await here.deps.sources.listSources({ account_id: 'acc_none' })).to.deep.equal([]);
  });

  it('returns no record for a source that does not exist', async () => {
    expect(await loadSourceRecord(here.deps, 'src_none')).to.equal(undefined);
  });

  it('publishes a new plan for every source of the account, and for no other', async () => {
    const mine = [await here.newSource('acc_mine'), await here.newSource('acc_mine')];
    const other = await here.newSource('acc_other');
    expect(await setPlan(here.deps, 'acc_mine', 'free')).to.have.nested.include({
      status: 'set',
      'account.plan': 'free',
    });
    for (const { source } of mine) {
      expect(await here.deps.directory.read(source.source_id)).to.have.nested.include({
        'record.plan': 'free',
        'record.version': 3,
      });
    }
    expect(await here.deps.directory.read(other.source.source_id)).to.have.nested.include({
      'record.plan': 'unlimited',
    });
  });

  it('publishes the new plan for a source that is created while the plan changes', async () => {
    await here.newSource('acc_busy');
    let made = '';
    const accounts = {
      ...here.deps.accounts,
      setAccountPlan: async (id: string, plan: string) => {
        made = (await here.newSource('acc_busy')).source.source_id;
        return here.deps.accounts.setAccountPlan(id, plan);
      },
    };
    await setPlan({ ...here.deps, accounts }, 'acc_busy', 'pro');
    expect(await here.deps.directory.read(made)).to.have.nested.include({ 'record.plan': 'pro' });
  });

  it('rejects an unknown plan or account, and changes nothing', async () => {
    const known = ['free', 'pro', 'unlimited'];
    expect(await setPlan(here.deps, 'acc_1', 'gold')).to.deep.equal({ status: 'unknown_plan', known });
    expect(await setPlan(here.deps, 'acc_none', 'pro')).to.deep.equal({ status: 'account_not_found' });
  });
});
