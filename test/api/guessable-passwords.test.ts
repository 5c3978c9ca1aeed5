import { createInvite } from '@sluice/accounts/people/create-link';
import { expect } from 'chai';
import type { Response } from 'supertest';
import { PASSWORD } from '../support/api.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { useApi } from '../support/use-api.ts';
import { useLink } from './support/sign-in.ts';

describe('api: guessable passwords', () => {
  const api = useApi();
  let accountId: string;
  before(async () => {
    accountId = await api.addAccount('Kulturhaus Mitte');
  });

  const fieldOf = ({ text }: Response) => JSON.parse(text).errors[0] as { pointer: string; detail: string };
  const join = async (token: string, password: string) =>
    useLink(api.app, { token, name: 'Ada Lovelace', email: 'ada.lovelace@example.com', password });

  it('are rejected: email address, its first part, name, account and product; the link stays usable', async () => {
    const { token } = await createInvite(api.deps, { accountId, role: 'viewer', email: null });
    for (const [password, why] of [
      ['ada.lovelace@example.com', 'your email address'],
      ['Ada-Lovelace-2026', 'the first part of your email address'],
      ['ADA.LOVELACE', 'the first part of your email address'],
      ['kulturhaus-mitte!', 'the name of your account'],
      ['SluiceSluice1', 'the name of this product'],
    ] as const) {
      const answer = await join(token, password);
      expectProblem(answer, 'validation_failed');
      expect(fieldOf(answer).pointer).to.equal('/password');
      expect(fieldOf(answer).detail, password).to.contain(why).and.not.contain(password);
    }
    expect((await join(token, 'ada lovelace wrote programs')).status).to.equal(200);
  });

  it('are rejected as a new password too, and the old one stays', async () => {
    const person = await api.addPerson(accountId, 'viewer');
    const change = (new_password: string) =>
      person.call('put', '/session/password', { current_password: PASSWORD, new_password });
    const answer = await change(person.me.user.email);
    expectProblem(answer, 'validation_failed');
    expect(fieldOf(answer).pointer).to.equal('/new_password');
    expect((await change('another long password')).status).to.equal(204);
  });
});
