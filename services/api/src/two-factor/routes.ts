import { knownChange } from '@sluice/accounts/audit/audited';
import { instantOrNull } from '@sluice/contract/time/instant';
import { open as openSealed, seal } from '@sluice/credentials/seal';
import { totpContext } from '@sluice/credentials/totp-context';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { beginTwoFactor, confirmTwoFactor, proveBoth } from '@sluice/dashboard-api/two-factor';
import { twoFactorMail } from '@sluice/mail/texts';
import type { Request } from 'express';
import type { Binder } from '../http/bind.ts';
import { done, type Refusal, refuse } from '../http/result.ts';
import type { SignedIn } from '../http/signed-in.ts';
import { requiredAnywhere } from '../parts/must-set-up.ts';
import { checkPassword } from '../parts/password.ts';
import type { RouteDeps } from '../parts.ts';
import {
  checkCode,
  hashRecoveryCode,
  newRecoveryCodes,
  newTotpKey,
  stepOfCode,
  totpUri,
  UNREADABLE_KEY,
  WRONG_CODE,
} from './codes.ts';

const WRONG_PASSWORD = refuse('wrong_password', 'The password is wrong. Try again.');
const IS_ON = refuse('conflict', 'Two-factor sign-in is already on. Turn it off first to use another app.');
const IS_OFF = refuse('conflict', 'Two-factor sign-in is off. Set it up first.');
const NOT_BEGUN = refuse('conflict', 'This set-up has expired. Start again and scan the new QR code.');
const REQUIRED = refuse(
  'conflict',
  'One of your accounts requires two-factor sign-in. Ask an owner of that account to change this first.',
);

/** Two-factor sign-in: turning it on and off, and recovery codes. */
export function twoFactorRoutes({ guarded }: Binder, deps: RouteDeps): void {
  const { twoFactors, keyring, throttle, now } = deps;
  const routes = ROUTES.session;

  guarded(routes.twoFactor, {}, async ({ who: { user } }) => {
    const { since, recovery_hashes = [] } = user.two_factor ?? {};
    return done({
      on: user.two_factor !== undefined,
      since: instantOrNull(since),
      recovery_codes_left: recovery_hashes.length,
    });
  });

  guarded(routes.beginTwoFactor, { body: beginTwoFactor }, async ({ who, body }) => {
    const { user_id, email, password_hash, two_factor } = who.user;
    if (two_factor !== undefined) return IS_ON;
    const throttled = await throttle.session(who.session.session_id);
    if (throttled !== undefined) return throttled;
    if (!(await checkPassword(body.password, password_hash))) return WRONG_PASSWORD;
    const key = newTotpKey();
    await twoFactors.putDraft(user_id, seal(keyring, totpContext(user_id), key));
    const issuer = deps.environmentName === undefined ? 'Sluice' : `Sluice ${deps.environmentName}`;
    return done({ key, uri: totpUri(key, email, issuer) });
  });

  guarded(routes.confirmTwoFactor, { body: confirmTwoFactor }, async ({ who, body, request }) => {
    const { user_id, two_factor, two_factor_draft: sealed_key } = who.user;
    if (two_factor !== undefined) return IS_ON;
    if (sealed_key === undefined) return NOT_BEGUN;
    const throttled = await throttle.session(who.session.session_id);
    if (throttled !== undefined) return throttled;
    const opened = openSealed(keyring, totpContext(user_id), sealed_key);
    if (opened.status !== 'opened') return NOT_BEGUN;
    const last_step = stepOfCode(opened.secret, body.code, now());
    if (last_step === undefined) return WRONG_CODE;
    const codes = newRecoveryCodes();
    const recovery_hashes = codes.map(hashRecoveryCode);
    const isOn = await noted(deps, who, request, 'member.two_factor_on', async () => {
      const isDone = await twoFactors.turnOn(user_id, {
        sealed_key,
        last_step,
        recovery_hashes,
        since: now(),
      });
      // The other sessions were opened with the password alone.
      if (isDone) await deps.sessions.endSessions({ user_id, except: who.session.session_id });
      return isDone;
    });
    if (!isOn) return NOT_BEGUN;
    mailChange(deps, who, request, 'on');
    return done({ recovery_codes: [...codes] });
  });

  guarded(routes.newRecoveryCodes, { body: proveBoth }, async ({ who, body, request }) => {
    const refused = await prove(deps, who, body);
    if (refused !== undefined) return refused;
    const codes = newRecoveryCodes();
    const replace = () => twoFactors.replaceRecoveryCodes(who.user.user_id, codes.map(hashRecoveryCode));
    if (!(await noted(deps, who, request, 'member.recovery_codes_made', replace))) return IS_OFF;
    return done({ recovery_codes: [...codes] });
  });

  guarded(routes.endTwoFactor, { body: proveBoth }, async ({ who, body, request }) => {
    if (await requiredAnywhere(deps, who.user.user_id)) return REQUIRED;
    const refused = await prove(deps, who, body);
    if (refused !== undefined) return refused;
    const turnOff = () => twoFactors.turnOff(who.user.user_id);
    if (!(await noted(deps, who, request, 'member.two_factor_off', turnOff))) return IS_OFF;
    mailChange(deps, who, request, 'off');
    return done(null);
  });
}

/** Checks password and code again: an unattended session must not be enough to weaken the next sign-in. */
async function prove(
  deps: RouteDeps,
  { user, session }: SignedIn,
  { password, code }: { readonly password: string; readonly code: string },
): Promise<Refusal | undefined> {
  if (user.two_factor === undefined) return IS_OFF;
  const throttled = await deps.throttle.session(session.session_id);
  if (throttled !== undefined) return throttled;
  if (!(await checkPassword(password, user.password_hash))) return WRONG_PASSWORD;
  const codeThrottled = await deps.throttle.sessionCode(session.session_id);
  if (codeThrottled !== undefined) return codeThrottled;
  switch ((await checkCode(deps, user, code)).status) {
    case 'right':
      return undefined;
    case 'wrong':
      return WRONG_CODE;
    case 'unreadable':
      return UNREADABLE_KEY;
  }
}

/** Makes an audited change of the user's second factor. `work` resolves with whether it was made. */
function noted(
  { audited }: RouteDeps,
  who: SignedIn,
  request: Request,
  action: 'member.two_factor_on' | 'member.two_factor_off' | 'member.recovery_codes_made',
  work: () => Promise<boolean>,
): Promise<boolean> {
  const target = { id: who.user.user_id, name: who.user.email };
  return audited(
    who,
    request,
    knownChange({ action, target }, work, (isMade) => isMade),
  );
}

function mailChange(
  { mailer, apiUrl, now }: RouteDeps,
  { user: { email } }: SignedIn,
  request: Request,
  change: 'on' | 'off',
): void {
  mailer?.send(twoFactorMail(email, change, { apiUrl, address: request.ip ?? 'unknown', at: now() }));
}
