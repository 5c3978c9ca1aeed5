import { newId } from '@sluice/credentials/ids';
import * as keys from '@sluice/dashboard-api/keys';
import * as members from '@sluice/dashboard-api/members';
import * as recovery from '@sluice/dashboard-api/recovery';
import * as session from '@sluice/dashboard-api/session';
import * as twoFactor from '@sluice/dashboard-api/two-factor';
import { PASSWORD } from '../../support/api.ts';
import { codeOf } from '../../support/two-factor.ts';
import { type CasesOf, onOne } from './route-case.ts';

/** Cases of signing in, members and keys. */
export const PEOPLE_CASES: CasesOf<'session'> & CasesOf<'recovery'> & CasesOf<'members'> & CasesOf<'keys'> = {
  'session.signIn': {
    good: async ({ newPerson }) => ({
      body: { email: (await newPerson()).me.user.email, password: PASSWORD },
    }),
    answer: session.signedIn,
    stranger: 'not_of_an_account',
  },
  'session.secondStep': {
    good: async ({ secondStep }) => ({ body: await secondStep() }),
    answer: session.me,
    stranger: 'not_of_an_account',
  },
  'session.twoFactor': { good: () => ({}), answer: twoFactor.twoFactorState, stranger: 'own' },
  'session.beginTwoFactor': {
    good: async ({ newPerson }) => ({ who: await newPerson(), body: { password: PASSWORD } }),
    answer: twoFactor.twoFactorBegun,
    stranger: 'not_of_an_account',
  },
  'session.confirmTwoFactor': {
    good: async ({ newPerson }) => {
      const who = await newPerson();
      const { body } = await who.call('post', '/two-factor/begin', { password: PASSWORD });
      return { who, body: { code: codeOf(body.key) } };
    },
    answer: twoFactor.recoveryCodes,
    stranger: 'not_of_an_account',
  },
  'session.newRecoveryCodes': {
    good: async ({ personWithTwoFactor }) => {
      const { who, recoveryCode } = await personWithTwoFactor();
      return { who, body: { password: PASSWORD, code: recoveryCode } };
    },
    answer: twoFactor.recoveryCodes,
    stranger: 'not_of_an_account',
  },
  'session.endTwoFactor': {
    good: async ({ personWithTwoFactor }) => {
      const { who, recoveryCode } = await personWithTwoFactor();
      return { who, body: { password: PASSWORD, code: recoveryCode } };
    },
    answer: null,
    stranger: 'not_of_an_account',
  },
  'recovery.options': {
    good: () => ({}),
    answer: recovery.signInOptions,
    stranger: 'not_of_an_account',
  },
  'recovery.forgot': {
    good: () => ({ body: { email: 'someone@example.com' } }),
    answer: null,
    stranger: 'not_of_an_account',
  },
  'recovery.check': {
    good: async ({ resetToken }) => ({ body: { token: await resetToken() } }),
    answer: recovery.resetLink,
    stranger: 'not_of_an_account',
  },
  'recovery.reset': {
    good: async ({ resetToken }) => ({
      body: { token: await resetToken(), password: 'another long password' },
    }),
    answer: null,
    stranger: 'not_of_an_account',
  },
  'session.me': { good: () => ({}), answer: session.me, stranger: 'own' },
  'session.signOut': {
    good: async ({ newPerson }) => ({ who: await newPerson() }),
    answer: null,
    stranger: 'not_of_an_account',
  },
  'session.switchAccount': {
    good: ({ accountId }) => ({ body: { account_id: accountId } }),
    answer: session.me,
    stranger: 'not_found',
  },
  'session.changePassword': {
    good: async ({ newPerson }) => ({
      who: await newPerson(),
      body: { current_password: PASSWORD, new_password: 'another long password' },
    }),
    answer: null,
    stranger: 'not_of_an_account',
  },
  'session.list': { good: () => ({}), answer: session.sessionList, stranger: 'own' },
  'session.end': {
    good: async ({ otherSession }) => ({ params: { sessionId: await otherSession() } }),
    answer: null,
    stranger: 'not_found',
  },
  'session.endOthers': {
    good: async ({ newPerson }) => ({ who: await newPerson() }),
    answer: null,
    stranger: 'not_of_an_account',
  },
  'session.welcomeCheck': {
    good: async ({ invite }) => ({ body: { token: (await invite()).token } }),
    answer: session.welcomeLink,
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
    stranger: 'not_of_an_account',
  },

  'members.list': { good: () => ({}), answer: members.memberList, stranger: 'own' },
  'members.invite': {
    good: () => ({ body: { role: 'viewer', email: 'linus@example.com' } }),
    answer: members.inviteCreated,
    stranger: 'own',
  },
  'members.withdrawInvite': {
    good: async ({ invite }) => ({ params: { inviteId: (await invite()).id } }),
    answer: null,
    stranger: 'not_found',
  },
  'members.changeRole': {
    good: async ({ newPerson }) => ({
      params: { userId: (await newPerson()).me.user.user_id },
      body: { role: 'viewer' },
    }),
    answer: members.member,
    stranger: 'not_found',
  },
  'members.requireTwoFactor': {
    good: () => ({ body: { required: false } }),
    answer: null,
    stranger: 'own',
  },
  'members.remove': {
    good: async ({ newPerson }) => ({ params: { userId: (await newPerson()).me.user.user_id } }),
    answer: null,
    stranger: 'not_found',
  },

  'keys.list': { good: () => ({}), answer: keys.keyList, stranger: 'own' },
  'keys.create': {
    good: () => ({ body: { name: 'CRM', scopes: ['read:leads'], expires_at: '2036-01-01T00:00:00Z' } }),
    answer: keys.keyCreated,
    stranger: 'own',
  },
  'keys.rename': {
    good: async ({ keyParams }) => ({ ...(await keyParams()), body: { name: 'New name' } }),
    answer: keys.keyItem,
    stranger: 'not_found',
  },
  'keys.rotate': {
    good: async ({ keyParams }) => ({ ...(await keyParams()), body: { overlap: '1h', expires_at: null } }),
    answer: keys.keyCreated,
    stranger: 'not_found',
  },
  'keys.revoke': onOne('keyParams', keys.keyItem),
};
