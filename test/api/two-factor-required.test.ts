import { expect } from 'chai';
import { PASSWORD, type Person } from '../support/api.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { codeOf, turnOnTwoFactor } from '../support/two-factor.ts';
import { useApi } from '../support/use-api.ts';

const STEP_MS = 30_000;

describe('api: two-factor sign-in', () => {
  const clock = { ms: Date.now() };
  const api = useApi({ now: () => clock.ms });

  describe('if an account requires it', () => {
    let owner: Person;
    let theirs: string;
    beforeEach(async () => {
      theirs = await api.addAccount('Strict');
      owner = await api.addPerson(theirs, 'owner');
    });

    const require = (required: boolean) => owner.call('put', '/members/two-factor', { required });

    it('the owner must set it up before requiring it', async () => {
      expectProblem(await require(true), 'conflict');
      await turnOnTwoFactor(owner, clock.ms);
      expect((await require(true)).status).to.equal(204);
      expect((await owner.read('/session')).account.two_factor_required).to.equal(true);
    });

    it('owners and admins without it can only set it up, and viewers are not affected', async () => {
      const admin = await api.addPerson(theirs, 'admin');
      const viewer = await api.addPerson(theirs, 'viewer');
      await turnOnTwoFactor(owner, clock.ms);
      expect((await admin.call('get', '/sources')).status).to.equal(200);
      await require(true);
      for (const path of ['/sources', '/deliveries/changes?source_id=src_x', '/audit', '/members'])
        expectProblem(await admin.call('get', path), 'two_factor_required');
      expectProblem(
        await admin.call('post', '/keys', { name: 'CRM', scopes: ['webhooks'] }),
        'two_factor_required',
      );
      expect((await viewer.call('get', '/sources')).status).to.equal(200);
      expect(await admin.read('/session')).to.include({ must_set_up_two_factor: true });
      const { key } = await turnOnTwoFactor(admin, clock.ms);
      expect((await admin.call('get', '/sources')).status).to.equal(200);
      clock.ms += STEP_MS;
      const off = { password: PASSWORD, code: codeOf(key, clock.ms) };
      expectProblem(await admin.call('post', '/two-factor/end', off), 'conflict');
      await require(false);
      expect((await admin.call('post', '/two-factor/end', off)).status).to.equal(204);
      const noted = await api.mongo.db.collection('audit_log').find({ account_id: theirs }).toArray();
      expect(noted.filter(({ action }) => action === 'account.two_factor_changed')).to.have.length(2);
    });

    it('owners and admins see who has it, viewers do not', async () => {
      const viewer = await api.addPerson(theirs, 'viewer');
      await turnOnTwoFactor(owner, clock.ms);
      const seen = async (who: Person) =>
        ((await who.read('/members')).items as { two_factor: boolean | null }[]).map((one) => one.two_factor);
      expect(await seen(owner)).to.deep.equal([true, false]);
      expect(await seen(viewer)).to.deep.equal([null, null]);
    });
  });
});
