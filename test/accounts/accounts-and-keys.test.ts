import { createAccount } from '@sluice/accounts/account/create-account';
import { revokeKey } from '@sluice/accounts/keys/change-key';
import { createKey } from '@sluice/accounts/keys/create-key';
import { hashApiKey } from '@sluice/credentials/api-key';
import { expect } from 'chai';
import { type Installation, NOW, openInstallation } from './support.ts';

describe('the management of accounts and API keys', () => {
  let here: Installation;
  before(async () => {
    here = await openInstallation();
    await createAccount(here.deps, { name: 'demo', accountId: 'demo' });
  });
  after(() => here?.close());

  it('an account gets an id and the default plan, or the given ones', async () => {
    const made = await createAccount(here.deps, { name: 'Hall' });
    expect(made).to.have.nested.include({
      status: 'created',
      'account.plan': 'unlimited',
      'account.created_at': NOW,
    });
    expect(made)
      .to.have.nested.property('account.account_id')
      .that.matches(/^acc_[0-9A-Za-z]{22}$/);
    expect(await createAccount(here.deps, { name: 'demo', accountId: 'demo' })).to.deep.equal({
      status: 'account_exists',
    });
    expect(await createAccount(here.deps, { name: 'x', plan: 'gold' })).to.have.property(
      'status',
      'unknown_plan',
    );
  });

  it('a key is stored as its hash only', async () => {
    const made = await createKey(here.deps, {
      accountId: 'demo',
      name: 'CRM',
      scopes: ['webhooks', 'webhooks'],
      expiresAt: NOW + 1,
    });
    if (made.status !== 'created') return expect.fail(made.status);
    const stored = await here.deps.apiKeys.findApiKeyByHash(hashApiKey(made.key));
    expect(stored).to.deep.equal(made.apiKey);
    expect(stored).to.include({ name: 'CRM', account_id: 'demo', expires_at: NOW + 1, revoked_at: null });
    expect(stored?.scopes).to.deep.equal(['webhooks']);
    expect(JSON.stringify(stored)).to.not.contain(made.key);
  });

  it('a key is not created for an account that does not exist', async () => {
    const made = await createKey(here.deps, {
      accountId: 'acc_none',
      name: 'x',
      scopes: [],
      expiresAt: null,
    });
    expect(made).to.deep.equal({ status: 'account_not_found' });
  });

  it('a revoked key is revoked for the next lookup', async () => {
    const made = await createKey(here.deps, {
      accountId: 'demo',
      name: 'x',
      scopes: ['webhooks'],
      expiresAt: null,
    });
    if (made.status !== 'created') return expect.fail(made.status);
    expect(await revokeKey(here.deps, made.apiKey.key_id)).to.have.nested.include({
      status: 'revoked',
      'apiKey.revoked_at': NOW,
    });
    expect(await here.deps.apiKeys.findApiKeyByHash(made.apiKey.hash)).to.have.property('revoked_at', NOW);
    expect(await revokeKey(here.deps, 'key_none')).to.deep.equal({ status: 'key_not_found' });
  });
});
