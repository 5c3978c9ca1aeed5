import { newId } from '@sluice/credentials/ids';
import * as keys from '@sluice/dashboard-api/keys';
import * as members from '@sluice/dashboard-api/members';
import * as recovery from '@sluice/dashboard-api/recovery';
import * as session from '@sluice/dashboard-api/session';
import * as twoFactor from '@sluice/dashboard-api/two-factor';
import { PASSWORD } from '../../support/api.ts';
import { codeOf } from '../../support/two-factor.ts';
import { type CasesOf, INVALID, onOne, unknown } from './route-case.ts';

/** Cases of signing in, members and keys. */
export const PEOPLE_CASES: CasesOf<'session'> & CasesOf<'recovery'> & CasesOf<'members'> & CasesOf<'keys'> = {
  'session.signIn': {
    good: async ({ newPerson }) => ({
      body: { email: (await newPerson()).me.user.email, password: PASSWORD },
    }),
    answer: session.signedIn,
    bad: { body: { email: 'no email', password: '' }, code: INVALID },
    stranger: 'not_of_an_account',
  },
  'session.secondStep': {
    good: async ({ secondStep }) => ({ body: await secondStep() }),
    answer: session.me,
    bad: { body: { token: 'x', code: '' }, code: INVALID },
    stranger: 'not_of_an_account',
  },
  'session.twoFactor': { good: () => ({}), answer: twoFactor.twoFactorState, bad: null, stranger: 'own' },
  'session.beginTwoFactor': {
    good: async ({ newPerson }) => ({ who: await newPerson(), body: { password: PASSWORD } }),
    answer: twoFactor.twoFactorBegun,
    bad: { body: { password: 'a guess' }, code: 'wrong_password' },
    stranger: 'not_of_an_account',
  },
  'session.confirmTwoFactor': {
    good: async ({ newPerson }) => {
      const who = await newPerson();
      const { body } = await who.call('post', '/two-factor/begin', { password: PASSWORD });
      return { who, body: { code: codeOf(body.key) } };
    },
    answer: twoFactor.recoveryCodes,
    bad: { body: { code: '' }, code: INVALID },
    stranger: 'not_of_an_account',
  },
  'session.newRecoveryCodes': {
    good: async ({ personWithTwoFactor }) => {
      const { who, recoveryCode } = await personWithTwoFactor();
      return { who, body: { password: PASSWORD, code: recoveryCode } };
    },
    answer: twoFactor.recoveryCodes,
    bad: { body: { password: PASSWORD, code: 'a guess' }, code: 'wrong_code' },
    stranger: 'not_of_an_account',
  },
  'session.endTwoFactor': {
    good: async ({ personWithTwoFactor }) => {
      const { who, recoveryCode } = await personWithTwoFactor();
      return { who, body: { password: PASSWORD, code: recoveryCode } };
    },
    answer: null,
    bad: { body: { password: 'a guess', code: '123456' }, code: 'wrong_password' },
    stranger: 'not_of_an_account',
  },
  'recovery.options': {
    good: () => ({}),
    answer: recovery.signInOptions,
    bad: null,
    stranger: 'not_of_an_account',
  },
  'recovery.forgot': {
    good: () => ({ body: { email: 'someone@example.com' } }),
    answer: null,
    bad: { body: { email: 'no email' }, code: INVALID },
    stranger: 'not_of_an_account',
  },
  'recovery.check': {
    good: async ({ resetToken }) => ({ body: { token: await resetToken() } }),
    answer: recovery.resetLink,
    bad: { body: { token: 'a guess' }, code: 'link_invalid' },
    stranger: 'not_of_an_account',
  },
  'recovery.reset': {
    good: async ({ resetToken }) => ({
      body: { token: await resetToken(), password: 'another long password' },
    }),
    answer: null,
    bad: { body: { token: 'a guess', password: 'another long password' }, code: 'link_invalid' },
    stranger: 'not_of_an_account',
  },
  'session.me': { good: () => ({}), answer: session.me, bad: null, stranger: 'own' },
  'session.signOut': {
    good: async ({ newPerson }) => ({ who: await newPerson() }),
    answer: null,
    bad: null,
    stranger: 'not_of_an_account',
  },
  'session.switchAccount': {
    good: ({ accountId }) => ({ body: { account_id: accountId } }),
    answer: session.me,
    bad: { body: { account_id: 7 }, code: INVALID },
    stranger: 'not_found',
  },
  'session.changePassword': {
    good: async ({ newPerson }) => ({
      who: await newPerson(),
      body: { current_password: PASSWORD, new_password: 'another long password' },
    }),
    answer: null,
    bad: { body: { current_password: PASSWORD, new_password: 'short' }, code: INVALID },
    stranger: 'not_of_an_account',
  },
  'session.list': { good: () => ({}), answer: session.sessionList, bad: null, stranger: 'own' },
  'session.end': {
    good: async ({ otherSession }) => ({ params: { sessionId: await otherSession() } }),
    answer: null,
    bad: unknown('sessionId'),
    stranger: 'not_found',
  },
  'session.endOthers': {
    good: async ({ newPerson }) => ({ who: await newPerson() }),
    answer: null,
    bad: null,
    stranger: 'not_of_an_account',
  },
  'session.welcomeCheck': {
    good: async ({ invite }) => ({ body: { token: (await invite()).token } }),
    answer: session.welcomeLink,
    bad: { body: { token: 1 }, code: INVALID },
    stranger: 'not_of_an_account',
  },
  'session.welcome': {
    good: async ({ invite }) => ({
      body: {
        ...{ token: (await invite()).token, name: 'Grace', password: PASSWORD },
        email: `${newId('usr').toLowerCase()}@example.com`,
      },
    }),
    answer: session.signedIn,
    bad: { body: { token: 'x', name: '', email: 'grace', password: 'short' }, code: INVALID },
    stranger: 'not_of_an_account',
  },

  'members.list': { good: () => ({}), answer: members.memberList, bad: null, stranger: 'own' },
  'members.invite': {
    good: () => ({ body: { role: 'viewer', email: 'linus@example.com' } }),
    answer: members.inviteCreated,
    bad: { body: { role: 'king' }, code: INVALID },
    stranger: 'own',
  },
  'members.withdrawInvite': {
    good: async ({ invite }) => ({ params: { inviteId: (await invite()).id } }),
    answer: null,
    bad: unknown('inviteId'),
    stranger: 'not_found',
  },
  'members.changeRole': {
    good: async ({ newPerson }) => ({
      params: { userId: (await newPerson()).me.user.user_id },
      body: { role: 'viewer' },
    }),
    answer: members.member,
    bad: { body: { role: 'king' }, code: INVALID },
    stranger: 'not_found',
  },
  'members.requireTwoFactor': {
    good: () => ({ body: { required: false } }),
    answer: null,
    bad: { body: { required: 'yes' }, code: INVALID },
    stranger: 'own',
  },
  'members.remove': {
    good: async ({ newPerson }) => ({ params: { userId: (await newPerson()).me.user.user_id } }),
    answer: null,
    bad: unknown('userId'),
    stranger: 'not_found',
  },

  'keys.list': { good: () => ({}), answer: keys.keyList, bad: null, stranger: 'own' },
  'keys.create': {
    good: () => ({ body: { name: 'CRM', scopes: ['read:leads'], expires_at: '2036-01-01T00:00:00Z' } }),
    answer: keys.keyCreated,
    bad: { body: { name: 'CRM', scopes: ['read:everything'] }, code: INVALID },
    stranger: 'own',
  },
  'keys.rename': {
    good: async ({ keyParams }) => ({ ...(await keyParams()), body: { name: 'New name' } }),
    answer: keys.keyItem,
    bad: { body: { name: ' ' }, code: INVALID },
    stranger: 'not_found',
  },
  'keys.rotate': {
    good: async ({ keyParams }) => ({ ...(await keyParams()), body: { overlap: '1h', expires_at: null } }),
    answer: keys.keyCreated,
    bad: { body: { overlap: '2h', expires_at: null }, code: INVALID },
    stranger: 'not_found',
  },
  'keys.revoke': onOne('keyParams', 'keyId', keys.keyItem),
};
