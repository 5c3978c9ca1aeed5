import { checkApiKeyForm } from '@sluice/credentials/api-key';
import { expect } from 'chai';
import { expectFailure, useInstallation } from './support.ts';

describe('sluice account and sluice key', () => {
  const used = useInstallation();

  it('creates an account, lists it and changes its plan', async () => {
    const [made] = await used.json('account create --name Hall --plan free');
    expect(made).to.include({ name: 'Hall', plan: 'free' });
    expect(await used.json('account list')).to.deep.equal([made]);
    const moved = { ...made, plan: 'pro' };
    expect(await used.json(`account set-plan ${made?.account_id} pro`)).to.deep.equal([moved]);
    expect(await used.json(`account set-plan --account ${made?.account_id} --plan pro`)).to.deep.equal([
      moved,
    ]);
    expect(await used.json('account list')).to.deep.equal([moved]);
  });

  it('rejects an unknown plan as wrong usage, and lists the plans of PLANS', async () => {
    const done = await used.run('account set-plan demo gold', { env: { PLANS: 'silver:5,unlimited' } });
    expectFailure(done, 2, 'silver, unlimited');
  });

  it('shows a key once, with exactly the fields that scripts rely on', async () => {
    const [made] = await used.json(
      'key create --name CRM --scopes read:leads,webhooks --expires-at 2036-01-01T00:00:00+01:00',
    );
    expect(Object.keys(made ?? {})).to.deep.equal(['key', 'key_id', 'prefix', 'scopes', 'expires_at']);
    expect(checkApiKeyForm(String(made?.key))).to.include({ status: 'plausible', prefix: made?.prefix });
    expect(made).to.deep.include({
      scopes: ['read:leads', 'webhooks'],
      expires_at: '2035-12-31T23:00:00.000Z',
    });
    const listed = await used.run('key list --json');
    expect(listed.stdout).to.not.contain(made?.key);
    expect(listed.rows).to.have.length(1);
    expect(listed.rows[0]).to.include({ key_id: made?.key_id, prefix: made?.prefix, revoked_at: null });
    const [revoked] = await used.json(`key revoke ${made?.key_id}`);
    expect(revoked?.revoked_at).to.match(/Z$/);
    expect(await used.json('key list')).to.deep.equal([revoked]);
  });

  it('renames a key, which stays the same otherwise', async () => {
    const [made] = await used.json('key create --name Old --scopes webhooks');
    const before = (await used.json('key list')).find(({ key_id }) => key_id === made?.key_id);
    const renamed = await used.json(`key rename ${made?.key_id} --name New`);
    expect(renamed).to.deep.equal([{ ...before, name: 'New' }]);
    expect(await used.run('key rename key_none --name New')).to.include({ code: 1, stdout: '' });
  });

  for (const [what, args, expected] of [
    ['a scope that does not exist', '--scopes webhooks,read:everything', `"read:everything" isn't a scope`],
    ['no scope', '', "'--scopes <a,b>' not specified"],
    ['an expiry in the past', '--scopes webhooks --expires-at 2020-01-01T00:00:00Z', 'past'],
    ['an expiry that is not a datetime', '--scopes webhooks --expires-at 2036-01-01', 'ISO 8601'],
  ] as const) {
    it(`rejects a key with ${what} as wrong usage and creates none`, async () => {
      const done = await used.run(`key create --name x ${args}`.trim());
      expectFailure(done, 2, expected);
    });
  }

  it('fails to revoke an unknown key', async () => {
    expect(await used.run('key revoke key_none')).to.include({ code: 1, stdout: '' });
  });
});
