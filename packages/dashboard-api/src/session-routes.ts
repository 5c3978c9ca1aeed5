import { route } from './route.ts';
import type {
  AcceptWelcome,
  ChangePassword,
  Me,
  SessionList,
  SignedIn,
  SignIn,
  SwitchAccount,
  WelcomeCheck,
  WelcomeLink,
} from './session.ts';
import type * as T from './two-factor.ts';

/** Signing in, signing out, passwords and second factors. Part of ROUTES. */
export const SESSION_ROUTES = {
  signIn: route<{ body: SignIn; response: SignedIn }>('POST', '/session', 'anyone'),
  secondStep: route<{ body: T.SecondStep; response: Me }>('POST', '/session/second-factor', 'anyone'),
  me: route<{ response: Me }>('GET', '/session', 'signed_in'),
  signOut: route<{ response: null }>('DELETE', '/session', 'signed_in', 204),
  switchAccount: route<{ body: SwitchAccount; response: Me }>('PUT', '/session/account', 'signed_in'),
  changePassword: route<{ body: ChangePassword; response: null }>(
    'PUT',
    '/session/password',
    'signed_in',
    204,
  ),
  list: route<{ response: SessionList }>('GET', '/sessions', 'signed_in'),
  end: route<{ params: 'sessionId'; response: null }>('DELETE', '/sessions/:sessionId', 'signed_in', 204),
  endOthers: route<{ response: null }>('DELETE', '/sessions', 'signed_in', 204),
  welcomeCheck: route<{ body: WelcomeCheck; response: WelcomeLink }>('POST', '/welcome/check', 'anyone'),
  welcome: route<{ body: AcceptWelcome; response: SignedIn }>('POST', '/welcome', 'anyone'),
  twoFactor: route<{ response: T.TwoFactorState }>('GET', '/two-factor', 'signed_in'),
  beginTwoFactor: route<{ body: T.BeginTwoFactor; response: T.TwoFactorBegun }>(
    'POST',
    '/two-factor/begin',
    'signed_in',
  ),
  confirmTwoFactor: route<{ body: T.ConfirmTwoFactor; response: T.RecoveryCodes }>(
    'POST',
    '/two-factor/confirm',
    'signed_in',
  ),
  newRecoveryCodes: route<{ body: T.ProveBoth; response: T.RecoveryCodes }>(
    'POST',
    '/two-factor/recovery-codes',
    'signed_in',
  ),
  endTwoFactor: route<{ body: T.ProveBoth; response: null }>('POST', '/two-factor/end', 'signed_in', 204),
} as const;
