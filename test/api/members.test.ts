import { createInvite, INVITE_MS } from '@sluice/accounts/people/create-link';
import type { Role } from '@sluice/contract/account/roles';
import { expect } from 'chai';
import { cookieOf, PASSWORD, type Person, personOf } from '../support/api.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { useApi } from '../support/use-api.ts';
import { signIn, useLink } from './support/sign-in.ts';

describe('api: members', () => {
  const api = useApi();
  let owner: Person;
  let accountId: string;
  beforeEach(async () => {
    accountId = await api.addAccount();
    owner = await api.addPerson(accountId, 'owner');
  });

  const invite = async (by: Person, role: Role, email?: string) => {
    const answer = await by.call('post', '/members/invites', { role, ...(email !== undefined && { email }) });
    expect(answer.status, answer.text).to.equal(201);
    return {
      id: answer.body.invite.invite_id as string,
      token: (answer.body.url as string).split('#token=')[1] as string,
      url: answer.body.url as string,
    };
  };
  const accept = (token: string, email: string, password = PASSWORD) =>
    useLink(api.app, { token, email, password });
  const role = (person: Person, to: Role) =>
    owner.call('put', `/members/${person.me.user.user_id}/role`, { role: to });

  it('are invited by a link with the token in the fragment, and listed', async () => {
    const { url, token } = await invite(owner, 'viewer', 'Ada@Example.com');
    expect(url).to.match(/^http:\/\/localhost:8081\/welcome#token=[\w-]{43}$/);
    const before = await owner.call('get', '/members');
    expect(before.body.invites[0]).to.include({ email: 'ada@example.com', role: 'viewer' });
    expect(before.text).not.to.contain(token);
    expectProblem(await accept(token, 'somebody@example.com'), 'forbidden');
    const joined = await accept(token, 'ada@example.com');
    expect(joined.body, joined.text).to.deep.include({ role: 'viewer', operator: false });
    const after = await owner.call('get', '/members');
    expect(after.body.items.map((one: { role: Role; self: boolean }) => [one.role, one.self])).to.deep.equal([
      ['owner', true],
      ['viewer', false],
    ]);
    expect(after.body.invites).to.deep.equal([]);
    expect(after.text).not.to.contain('scrypt');
  });

  it('an expired invitation is not listed', async () => {
    const weekAgo = () => Date.now() - INVITE_MS;
    await createInvite({ ...api.deps, now: weekAgo }, { accountId, role: 'viewer', email: null });
    const { id } = await invite(owner, 'viewer');
    const { invites } = await owner.read('/members');
    expect(invites.map(({ invite_id }: { invite_id: string }) => invite_id)).to.deep.equal([id]);
  });

  it('a withdrawn link is invalid', async () => {
    const { id, token } = await invite(owner, 'admin');
    expect((await owner.call('delete', `/members/invites/${id}`)).status).to.equal(204);
    expectProblem(await accept(token, 'late@example.com'), 'link_invalid');
    expectProblem(await owner.call('delete', `/members/invites/${id}`), 'not_found');
  });

  it('an invitation is void once its inviter is no longer an owner', async () => {
    const leaver = await api.addPerson(accountId, 'owner');
    const [kept, theirs] = [await invite(owner, 'viewer', 'kept@example.com'), await invite(leaver, 'owner')];
    const invited = async () =>
      (await owner.read('/members')).invites.map(({ invite_id }: { invite_id: string }) => invite_id);
    expect(await invited()).to.have.members([kept.id, theirs.id]);
    expect((await role(leaver, 'admin')).status).to.equal(200);
    expectProblem(await accept(theirs.token, leaver.me.user.email), 'link_invalid');
    expect((await owner.call('delete', `/members/${leaver.me.user.user_id}`)).status).to.equal(204);
    expectProblem(await accept(theirs.token, leaver.me.user.email), 'link_invalid');
    expect(await invited()).to.deep.equal([kept.id]);
    expect((await accept(kept.token, 'kept@example.com')).status).to.equal(200);
  });

  it('a user who retries a link after a lost response is told to sign in, and can', async () => {
    const { token } = await invite(owner, 'viewer');
    const email = 'lost.answer@example.com';
    expect((await accept(token, email)).status).to.equal(200);
    const again = await accept(token, email);
    expectProblem(again, 'link_invalid');
    expect(again.body.detail).to.match(/If you have used it, sign in/);
    const signedIn = await signIn(api.app, { email });
    expect(signedIn.body, signedIn.text).to.deep.include({ role: 'viewer' });
  });

  it('an existing user joins with their own password, and can switch accounts', async () => {
    const other = await api.addPerson(await api.addAccount('Other'), 'owner');
    const { token } = await invite(owner, 'viewer');
    expectProblem(await accept(token, other.me.user.email, 'not their password'), 'wrong_password');
    const joined = await accept(token, other.me.user.email);
    expect(joined.body.accounts).to.deep.equal([
      { account_id: other.me.account.account_id, name: 'Other', role: 'owner' },
      { account_id: accountId, name: 'Test account', role: 'viewer' },
    ]);
    const back = await other.call('put', '/session/account', { account_id: accountId });
    expect(back.body, back.text).to.deep.include({ role: 'viewer' });
    expect(back.body.account.account_id).to.equal(accountId);
    expectProblem(
      await other.call('put', '/session/account', { account_id: await api.addAccount() }),
      'not_found',
    );
  });

  it('an existing member gets an error, and invitation, role and audit log stay unchanged', async () => {
    const member = await api.addPerson(accountId, 'viewer');
    const { token } = await invite(owner, 'admin');
    const joins = async () => (await owner.call('get', '/audit?action=member.joined')).body.items;
    const before = await joins();
    expectProblem(await accept(token, member.me.user.email), 'conflict');
    expect((await member.call('get', '/session')).body).to.deep.include({ role: 'viewer' });
    expect(await joins()).to.deep.equal(before);
    expect((await accept(token, 'whom.it.was.meant.for@example.com')).body).to.include({ role: 'admin' });
  });

  it('a removed member loses access with the next request, but not in other accounts', async () => {
    const person = await api.addPerson(accountId, 'admin');
    expect((await owner.call('delete', `/members/${person.me.user.user_id}`)).status).to.equal(204);
    expectProblem(await person.call('get', '/sources'), 'signed_out');
    expectProblem(await owner.call('delete', `/members/${person.me.user.user_id}`), 'not_found');

    const other = await api.addPerson(await api.addAccount('Other'), 'owner');
    const { email, user_id } = other.me.user;
    const joined = await accept((await invite(owner, 'viewer')).token, email);
    const here = personOf(api.app, joined.body, cookieOf(joined.headers));
    expect((await owner.call('delete', `/members/${user_id}`)).status).to.equal(204);
    expect((await other.call('get', '/sources')).status).to.equal(200);
    // A session that survived the removal would be valid again after the next invitation.
    expect((await accept((await invite(owner, 'viewer')).token, email)).status).to.equal(200);
    expectProblem(await here.call('get', '/sources'), 'signed_out');
  });
});
