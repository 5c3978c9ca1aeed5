import { formatInstant } from '@sluice/contract/instant';
import type { Mail } from './mailer.ts';

/** The mail with the link to set a new password. */
export function resetMail(to: string, url: string, minutes: number): Mail {
  return {
    kind: 'password_reset',
    to,
    subject: 'Set a new password for Sluice',
    text: `A new password was requested for ${to}. If it was you, open this link within ${minutes} minutes:

${url}

It works once. If it was not you, do nothing: your password stays the same.
`,
  };
}

/** The notice that a password was changed. `at` in milliseconds since the Unix epoch. */
export function passwordChangedMail(
  to: string,
  { apiUrl, address, at }: { readonly apiUrl: string; readonly address: string; readonly at: number },
): Mail {
  return {
    kind: 'password_changed',
    to,
    subject: 'Your Sluice password was changed',
    text: `The password of ${to} at ${apiUrl} was changed at ${formatInstant(at)}, from the address ${address}.

If it was you, do nothing. If it was not, choose "Forgot password?" on the sign-in page, and inform an owner of your account.
`,
  };
}
