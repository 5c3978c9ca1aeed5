import { formatInstant } from '@sluice/contract/instant';
import type { Mail } from './mail.ts';

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

/** A change of a user's sign-in: where and when it happened. */
export interface Change {
  /** The dashboard's URL. */
  readonly apiUrl: string;
  readonly address: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** The notice that a password was changed. */
export function passwordChangedMail(to: string, { apiUrl, address, at }: Change): Mail {
  return {
    kind: 'password_changed',
    to,
    subject: 'Your Sluice password was changed',
    text: `The password of ${to} at ${apiUrl} was changed at ${formatInstant(at)}, from the address ${address}.

If it was you, do nothing. If it was not, choose "Forgot password?" on the sign-in page, and inform an owner of your account.
`,
  };
}

const TWO_FACTOR = {
  on: {
    subject: 'Two-factor sign-in for Sluice was turned on',
    happened: 'was turned on',
    otherwise: 'choose "Forgot password?" on the sign-in page, and inform an owner of your account',
  },
  off: {
    subject: 'Two-factor sign-in for Sluice was turned off',
    happened: 'was turned off',
    otherwise: 'change your password, turn it on again, and inform an owner of your account',
  },
  reset: {
    subject: 'Two-factor sign-in for Sluice was reset',
    happened: 'was turned off by the operator of this installation',
    otherwise: 'change your password, set it up again, and inform the operator',
  },
} as const;

/** The notice that two-factor sign-in was turned on or off, or reset on the server (then without an address). */
export function twoFactorMail(
  to: string,
  change: keyof typeof TWO_FACTOR,
  { apiUrl, address, at }: Omit<Change, 'address'> & { readonly address?: string },
): Mail {
  const { subject, happened, otherwise } = TWO_FACTOR[change];
  const from = address === undefined ? '' : `, from the address ${address}`;
  return {
    kind: 'two_factor_changed',
    to,
    subject,
    text: `Two-factor sign-in of ${to} at ${apiUrl} ${happened} at ${formatInstant(at)}${from}.

If you expected this, do nothing. If not, ${otherwise}.
`,
  };
}
