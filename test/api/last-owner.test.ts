import type { Role } from '@sluice/contract/account/roles';
import { expect } from 'chai';
import type { Response } from 'supertest';
import type { Person } from '../support/api.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { useApi } from '../support/use-api.ts';

describe('api: members', () => {
  const api = useApi();
  let owner: Person;
  let accountId: string;
  beforeEach(async () => {
    accountId = await api.addAccount();
    owner = await api.addPerson(accountId, 'owner');
  });

  const role = (person: Person, to: Role) =>
    owner.call('put', `/members/${person.me.user.user_id}/role`, { role: to });

  it('the last owner can be neither demoted nor removed, even concurrently', async () => {
    expectProblem(await role(owner, 'admin'), 'last_owner');
    expect((await role(owner, 'owner')).status).to.equal(200);
    expectProblem(await owner.call('delete', `/members/${owner.me.user.user_id}`), 'last_owner');
    expect((await owner.read('/session')).role).to.equal('owner');
    const second = await api.addPerson(accountId, 'admin');
    expect((await role(second, 'owner')).body.role).to.equal('owner');
    await Promise.all([
      role(second, 'viewer'),
      second.call('put', `/members/${owner.me.user.user_id}/role`, { role: 'viewer' }),
    ]);
    expect(await api.store.memberships.countOwners(accountId)).to.be.at.least(1);
  });

  it('an owner whose concurrent removal or demotion would leave no owner is restored', async () => {
    const { memberships } = api.store;
    const { countOwners } = memberships;
    const { user_id } = owner.me.user;
    const atOnce = async (write: () => PromiseLike<Response>) => {
      // Simulates a count from before the other owner was gone.
      memberships.countOwners = async () => {
        memberships.countOwners = countOwners;
        return 2;
      };
      expectProblem(await write(), 'last_owner');
      expect(memberships.countOwners).to.equal(countOwners);
      expect((await owner.read('/members')).items).to.have.length(1);
      expect((await owner.read('/session')).role).to.equal('owner');
    };
    await atOnce(() => owner.call('delete', `/members/${user_id}`));
    await atOnce(() => role(owner, 'viewer'));
  });
});
