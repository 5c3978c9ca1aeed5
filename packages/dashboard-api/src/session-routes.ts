import { get, io, post, put, remove } from './route.ts';
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
  signIn: post('/session', 'anyone', io<{ body: SignIn; response: SignedIn }>()),
  secondStep: post('/session/second-factor', 'anyone', io<{ body: T.SecondStep; response: Me }>()),
  me: get('/session', 'signed_in', io<{ response: Me }>()),
  signOut: remove('/session', 'signed_in', io<{ response: null }>(), 204),
  switchAccount: put('/session/account', 'signed_in', io<{ body: SwitchAccount; response: Me }>()),
  changePassword: put('/session/password', 'signed_in', io<{ body: ChangePassword; response: null }>(), 204),
  list: get('/sessions', 'signed_in', io<{ response: SessionList }>()),
  end: remove('/sessions/:sessionId', 'signed_in', io<{ response: null }>(), 204),
  endOthers: remove('/sessions', 'signed_in', io<{ response: null }>(), 204),
  welcomeCheck: post('/welcome/check', 'anyone', io<{ body: WelcomeCheck; response: WelcomeLink }>()),
  welcome: post('/welcome', 'anyone', io<{ body: AcceptWelcome; response: SignedIn }>()),
  twoFactor: get('/two-factor', 'signed_in', io<{ response: T.TwoFactorState }>()),
  beginTwoFactor: post(
    '/two-factor/begin',
    'signed_in',
    io<{ body: T.BeginTwoFactor; response: T.TwoFactorBegun }>(),
  ),
  confirmTwoFactor: post(
    '/two-factor/confirm',
    'signed_in',
    io<{ body: T.ConfirmTwoFactor; response: T.RecoveryCodes }>(),
  ),
  newRecoveryCodes: post(
    '/two-factor/recovery-codes',
    'signed_in',
    io<{ body: T.ProveBoth; response: T.RecoveryCodes }>(),
  ),
  endTwoFactor: post('/two-factor/end', 'signed_in', io<{ body: T.ProveBoth; response: null }>(), 204),
} as const;
