import { hashToken } from '@sluice/credentials/token';
import { expect } from 'chai';
import { expectFailure, useInstallation } from './support.ts';

describe('sluice owner-link', function () {
  this.timeout(240_000);
  const used = useInstallation();
  const env = { API_URL: 'https://sluice.example.com/' };

  it('prints a one-time link to the dashboard, and stores only its hash', async () => {
    const [made] = await used.json('owner-link', { env });
    expect(made).to.include({ account_id: 'demo' });
    const [, token = ''] =
      /^https:\/\/sluice\.example\.com\/welcome#token=([\w-]{43})$/.exec(String(made?.url)) ?? [];
    const documents = await used.mongo.db.collection('links').find().toArray();
    expect(documents.map(({ _id }) => String(_id))).to.deep.equal([hashToken(token)]);
    expect(documents[0]).to.include({ kind: 'first_owner', role: 'owner' });
    expect(JSON.stringify(documents)).to.not.contain(token);
    expect(made?.expires_at).to.equal(documents[0]?.expires_at.toISOString());
  });

  it('makes an operator by default only for the only account without an operator, else with --operator', async () => {
    const links = used.mongo.db.collection('links');
    expect((await links.find().toArray()).map(({ operator }) => operator)).to.deep.equal([true]);
    const [account] = await used.json('account create --name Customer');
    const id = String(account?.account_id);
    await used.json(`owner-link --account ${id}`);
    expect(await links.findOne({ account_id: id })).to.not.have.property('operator');
    await used.json(`owner-link --account ${id} --operator`);
    expect(await links.findOne({ account_id: id })).to.have.property('operator', true);
    await links.deleteMany({ account_id: id });
  });

  it('lists, grants and revokes operators by email', async () => {
    const user = { user_id: 'usr_9', email: 'ada@example.com', name: 'Ada', password_hash: 'x' };
    await used.store.users.insertUser({ ...user, operator: false, created_at: 0 });
    expect(await used.json('operator list')).to.deep.equal([]);
    await used.json('operator grant Ada@example.com');
    expect(await used.json('operator list')).to.have.nested.property('[0].email', 'ada@example.com');
    expect((await used.store.users.findUser('usr_9'))?.operator).to.equal(true);
    await used.json('operator revoke ada@example.com');
    expect(await used.json('operator list')).to.deep.equal([]);
    expect((await used.run('operator grant nobody@example.com')).stderr).to.contain('There is no user with');
  });

  it('with --reset prints a link that sets a new password, and stores only its hash', async () => {
    const [made] = await used.json('owner-link --reset Ada@example.com', { env });
    expect(made).to.include({ user_id: 'usr_9', email: 'ada@example.com' });
    const [, token = ''] =
      /^https:\/\/sluice\.example\.com\/reset-password#token=([\w-]{43})$/.exec(String(made?.url)) ?? [];
    const documents = await used.mongo.db.collection('user_tokens').find().toArray();
    expect(documents.map(({ _id, kind }) => [String(_id), kind])).to.deep.equal([
      [hashToken(token), 'password_reset'],
    ]);
    expect(Date.parse(String(made?.expires_at)) - Date.now()).to.be.within(29 * 60_000, 30 * 60_000);
    const nobody = await used.run('owner-link --reset nobody@example.com');
    expectFailure(nobody, 1, 'There is no user with');
  });

  it('fails for an account with an owner and for an unknown account', async () => {
    await used.store.memberships.insertMembership({
      account_id: 'demo',
      user_id: 'usr_1',
      role: 'owner',
      created_at: 0,
    });
    const taken = await used.run('owner-link --account demo');
    expectFailure(taken, 1, 'already has an owner');
    expect((await used.run('owner-link --account acc_none')).stderr).to.contain(
      'There is no account acc_none',
    );
  });
});
