import { checkApiKeyForm } from '@sluice/credentials/api-key';
import { expect } from 'chai';
import { useInstallation } from './support.ts';

describe('sluice account and sluice key', () => {
  const used = useInstallation();

  it('an account is made, listed and moved to another plan', async () => {
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

  it('a plan that PLANS does not name is wrong usage, and which it names is said', async () => {
    const done = await used.run('account set-plan demo gold', { env: { PLANS: 'silver:5,unlimited' } });
    expect(done).to.include({ code: 2, stdout: '' });
    expect(done.stderr).to.contain('silver, unlimited');
  });

  it('a key is shown once, in exactly the fields that scripts rely on', async () => {
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

  for (const [what, args, said] of [
    ['a scope that does not exist', '--scopes webhooks,read:everything', '"read:everything" is no scope'],
    ['no scope', '', "'--scopes <a,b>' not specified"],
    ['an expiry in the past', '--scopes webhooks --expires-at 2020-01-01T00:00:00Z', 'past'],
    ['an expiry that is no datetime', '--scopes webhooks --expires-at 2036-01-01', 'ISO 8601'],
  ] as const) {
    it(`a key with ${what} is wrong usage and is not made`, async () => {
      const done = await used.run(`key create --name x ${args}`.trim());
      expect(done).to.include({ code: 2, stdout: '' });
      expect(done.stderr).to.contain(said);
    });
  }

  it('a key that is not there cannot be revoked', async () => {
    expect(await used.run('key revoke key_none')).to.include({ code: 1, stdout: '' });
  });
});
