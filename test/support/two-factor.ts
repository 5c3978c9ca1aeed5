import { Secret, TOTP } from 'otpauth';
import { PASSWORD, type Person } from './api.ts';

export interface WithTwoFactor {
  /** The key in the authenticator app, in base 32. */
  readonly key: string;
  readonly recoveryCodes: readonly string[];
}

/** The code that an authenticator app shows for a key at a time (Unix milliseconds). */
export function codeOf(key: string, at = Date.now()): string {
  return TOTP.generate({ secret: Secret.fromBase32(key), timestamp: at });
}

/** Sets up two-factor sign-in as a user does in the dashboard. */
export async function turnOnTwoFactor(person: Person, at = Date.now()): Promise<WithTwoFactor> {
  const begun = await person.call('post', '/two-factor/begin', { password: PASSWORD });
  if (begun.status !== 200) throw new Error(begun.text);
  const { key } = begun.body as { key: string };
  const confirmed = await person.call('post', '/two-factor/confirm', { code: codeOf(key, at) });
  if (confirmed.status !== 200) throw new Error(confirmed.text);
  return { key, recoveryCodes: confirmed.body.recovery_codes };
}
