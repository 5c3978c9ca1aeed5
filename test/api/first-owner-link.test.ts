import { createInvite, createOwnerLink } from '@sluice/accounts/people/create-link';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { expect } from 'chai';
import supertest from 'supertest';
import { newAddress } from '../support/api.ts';
import { created } from '../support/created.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { useApi } from '../support/use-api.ts';
import { useLink } from './support/sign-in.ts';

describe('api: signing in', () => {
  const api = useApi();

  describe('the link for the first owner', () => {
    const use = (token: string, email: string) => useLink(api.app, { token, email });

    it('works once, even if several users use it concurrently', async () => {
      const made = created(await createOwnerLink(api.deps, await api.addAccount('Fresh')));
      const check = await supertest(api.app)
        .post(`${DASHBOARD_API}/welcome/check`)
        .set('x-forwarded-for', newAddress())
        .send({ token: made.token });
      expect(check.body).to.deep.include({ kind: 'first_owner', role: 'owner', account_name: 'Fresh' });
      const answers = await Promise.all([1, 2, 3, 4].map((n) => use(made.token, `first${n}@example.com`)));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 404, 404, 404]);
      expectProblem(await use(made.token, 'late@example.com'), 'link_invalid');
    });

    it('is created only if there is no owner, and voids the previous link', async () => {
      expect(await createOwnerLink(api.deps, api.accountId)).to.deep.equal({ status: 'owner_exists' });
      expect(await createOwnerLink(api.deps, 'acc_nobody')).to.deep.equal({ status: 'account_not_found' });
      const fresh = await api.addAccount();
      const [first, second] = [
        await createOwnerLink(api.deps, fresh),
        await createOwnerLink(api.deps, fresh),
      ];
      if (first.status !== 'created' || second.status !== 'created') throw new Error('not created');
      expectProblem(await use(first.token, 'a@example.com'), 'link_invalid');
      expect((await use(second.token, 'a@example.com')).status).to.equal(200);
    });

    it('is void once another link has made an owner', async () => {
      const account = await api.addAccount();
      const made = created(await createOwnerLink(api.deps, account));
      const invited = await createInvite(api.deps, { accountId: account, role: 'owner', email: null });
      expect((await use(invited.token, 'other.way@example.com')).status).to.equal(200);
      expectProblem(await use(made.token, 'too.late@example.com'), 'link_invalid');
    });

    it('makes an existing member an owner', async () => {
      const orphaned = await api.addAccount('Lost its owner');
      const admin = await api.addPerson(orphaned, 'admin');
      const made = created(await createOwnerLink(api.deps, orphaned));
      const answer = await use(made.token, admin.me.user.email);
      expect(answer.body, answer.text).to.deep.include({ role: 'owner' });
    });

    it('makes an operator only if it was created for one', async () => {
      const [ordinary, operator] = [
        await createOwnerLink(api.deps, await api.addAccount('A customer')),
        await createOwnerLink(api.deps, await api.addAccount('Ours'), { operator: true }),
      ];
      const promoted = await api.addAccount('Its operator');
      const { token } = await createInvite(api.deps, { accountId: promoted, role: 'viewer', email: null });
      expect((await use(token, 'promoted@example.com')).body).to.include({ operator: false });
      if (ordinary.status !== 'created' || operator.status !== 'created') throw new Error('not created');
      expect((await use(ordinary.token, 'customer@example.com')).body).to.include({ operator: false });
      expect((await use(operator.token, 'ours@example.com')).body).to.include({ operator: true });
      const again = created(
        await createOwnerLink(api.deps, await api.addAccount('Ours too'), { operator: true }),
      );
      // An existing user becomes an operator too.
      expect((await use(again.token, 'promoted@example.com')).body).to.include({ operator: true });
      const operators = await api.store.users.listOperators();
      expect(operators.map(({ email }) => email))
        .to.include.members(['ours@example.com', 'promoted@example.com'])
        .and.not.include('customer@example.com');
    });

    it('expires after a day, and is stored as a hash only', async () => {
      const made = created(
        await createOwnerLink({ ...api.deps, now: () => Date.now() - 86_400_001 }, await api.addAccount()),
      );
      expect(JSON.stringify(await api.mongo.db.collection('links').find().toArray())).not.to.contain(
        made.token,
      );
      expectProblem(await use(made.token, 'b@example.com'), 'link_invalid');
    });
  });
});
