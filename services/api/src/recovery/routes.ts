import {
  createPasswordReset,
  PASSWORD_RESET_MINUTES,
  resetUrl,
} from '@sluice/accounts/people/password-reset';
import { formatInstant } from '@sluice/contract/time/instant';
import { checkReset, forgotPassword, resetPassword } from '@sluice/dashboard-api/recovery';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Mailer } from '@sluice/mail/mailer';
import { resetMail } from '@sluice/mail/texts';
import type { Binder } from '../http/bind.ts';
import { done, refuse } from '../http/result.ts';
import type { RouteDeps } from '../parts.ts';
import { findReset, LINK_INVALID, setPassword } from '../password/set-password.ts';

const NO_MAIL = refuse(
  'conflict',
  'This installation sends no mail. Ask its operator for a link. The command `sluice owner-link --reset EMAIL` on the server prints it.',
);

/** Setting a new password with a one-time link. */
export function recoveryRoutes({ open }: Binder, deps: RouteDeps): void {
  const { throttle, mailer } = deps;
  const routes = ROUTES.recovery;

  open(routes.options, {}, async () =>
    done({ password_recovery: mailer === undefined ? 'operator' : 'mail' }),
  );

  open(routes.forgot, { body: forgotPassword }, async ({ body: { email }, request }) => {
    if (mailer === undefined) return NO_MAIL;
    const throttled = await throttle.link(request);
    if (throttled !== undefined) return throttled;
    // Responds before the lookup, so that neither response nor timing reveals whether the user exists.
    void mailLink(deps, mailer, email).catch(deps.onRecoveryFailed);
    return done(null);
  });

  open(routes.check, { body: checkReset }, async ({ body, request }) => {
    const throttled = await throttle.link(request);
    if (throttled !== undefined) return throttled;
    const found = await findReset(deps, body.token);
    if (found === undefined) return LINK_INVALID;
    return done({ email: found.user.email, expires_at: formatInstant(found.token.expires_at) });
  });

  open(routes.reset, { body: resetPassword }, async ({ body, request }) => {
    const throttled = await throttle.link(request);
    return throttled ?? setPassword(deps, body, request);
  });
}

async function mailLink(deps: RouteDeps, mailer: Mailer, email: string): Promise<void> {
  if (!(await deps.throttle.mayMail(email))) return;
  const made = await createPasswordReset(deps, email);
  if (made.status === 'created')
    mailer.send(resetMail(made.user.email, resetUrl(deps.apiUrl, made.token), PASSWORD_RESET_MINUTES));
}
