import { knownChange } from '@sluice/accounts/audit/audited';
import { formatInstant } from '@sluice/contract/time/instant';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { changePassword, type SessionItem, signIn, switchAccount } from '@sluice/dashboard-api/session';
import { secondStep } from '@sluice/dashboard-api/two-factor';
import type { Session } from '@sluice/store/users/sessions';
import { rememberDevice, SESSION_COOKIE } from '../browser/cookie.ts';
import type { Binder } from '../http/bind.ts';
import { done, notFound, refuse } from '../http/result.ts';
import { checkPassword, hashPassword } from '../parts/password.ts';
import type { RouteDeps } from '../parts.ts';
import { newPasswordFault } from '../password/new-password.ts';
import { mailPasswordChanged } from '../password/set-password.ts';
import { describeMe } from './describe-me.ts';
import { takeSecondStep } from './second-step.ts';
import { createSignIn } from './sign-in.ts';

const WRONG_PASSWORD = refuse('wrong_password', 'The current password is wrong. Try again.');

/** Signing in and out, and the user's sessions. */
export function sessionRoutes({ open, guarded }: Binder, deps: RouteDeps): void {
  const { sessions, memberships } = deps;
  const trySignIn = createSignIn(deps);
  const routes = ROUTES.session;

  open(routes.signIn, { body: signIn }, ({ body, request, response }) => trySignIn(body, request, response));

  open(routes.secondStep, { body: secondStep }, ({ body, request, response }) =>
    takeSecondStep(deps, body, request, response),
  );

  guarded(routes.me, {}, async ({ who }) => done(await describeMe(deps, who.user, who.accountId)));

  guarded(routes.signOut, {}, async ({ who, request, response }) => {
    await sessions.endSession(who.user.user_id, who.session.session_id);
    SESSION_COOKIE.clear(request, response);
    return done(null);
  });

  guarded(routes.switchAccount, { body: switchAccount }, async ({ who, body: { account_id } }) => {
    const membership = await memberships.findMembership(account_id, who.user.user_id);
    if (membership === undefined) return refuse('not_found', 'You are not a member of this account.');
    await sessions.switchAccount(who.session.token_hash, account_id);
    return done(await describeMe(deps, who.user, account_id));
  });

  guarded(routes.list, {}, async ({ who }) => {
    const all = await sessions.listSessions(who.user.user_id);
    const live = all.filter(({ expires_at }) => expires_at > deps.now());
    return done({ items: live.map((session) => toItem(session, who.session.session_id)) });
  });

  guarded(routes.end, {}, async ({ who, params }) => {
    const found = await sessions.endSession(who.user.user_id, params.sessionId as string);
    return found ? done(null) : notFound('session');
  });

  guarded(routes.endOthers, {}, async ({ who }) => {
    await sessions.endSessions({ user_id: who.user.user_id, except: who.session.session_id });
    return done(null);
  });

  guarded(routes.changePassword, { body: changePassword }, async ({ who, body, request, response }) => {
    const throttled = await deps.throttle.session(who.session.session_id);
    if (throttled !== undefined) return throttled;
    const { user_id, email, password_hash: before } = who.user;
    if (!(await checkPassword(body.current_password, before))) return WRONG_PASSWORD;
    const fault = await newPasswordFault(deps, who.user, body.new_password);
    if (fault !== undefined) return fault;
    const after = await hashPassword(body.new_password, deps.passwordCost);
    const replace = async () => {
      // If two requests change it at once, the second one checked a password that is no longer current.
      if (!(await deps.users.replacePasswordHash(user_id, before, after))) return false;
      await sessions.endSessions({ user_id, except: who.session.session_id });
      await deps.userTokens.endUserTokens(user_id);
      return true;
    };
    const deed = { action: 'member.password_changed', target: { id: user_id, name: email } } as const;
    const change = knownChange(deed, replace, (isMade) => isMade);
    if (!(await deps.audited(who, request, change))) return WRONG_PASSWORD;
    await rememberDevice(deps, request, response, user_id);
    mailPasswordChanged(deps, email, request);
    return done(null);
  });
}

function toItem(session: Session, currentId: string): SessionItem {
  return {
    session_id: session.session_id,
    current: session.session_id === currentId,
    created_at: formatInstant(session.created_at),
    last_seen_at: formatInstant(session.last_seen_at),
    expires_at: formatInstant(session.expires_at),
    address: session.address,
    user_agent: session.user_agent,
  };
}
