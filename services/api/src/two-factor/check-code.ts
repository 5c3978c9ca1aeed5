import { type Keyring, open } from '@sluice/credentials/seal';
import { totpContext } from '@sluice/credentials/totp-context';
import type { TwoFactors } from '@sluice/store/users/two-factors';
import type { User } from '@sluice/store/users/users';
import { refuse } from '../http/result.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { looksLikeAppCode, stepOfCode } from './totp.ts';

export interface CheckCodeDeps {
  readonly twoFactors: Pick<TwoFactors, 'useStep' | 'useRecoveryCode'>;
  readonly keyring: Keyring;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

export type CodeChecked =
  | { readonly status: 'right'; readonly by: 'app' | 'recovery_code' }
  /** The code is wrong or was used before, or the user has no second factor. */
  | { readonly status: 'wrong' }
  /** The key was sealed with another SLUICE_SECRET_KEY, or is damaged. Recovery codes still work. */
  | { readonly status: 'unreadable' };

export const WRONG_CODE = refuse(
  'wrong_code',
  'This code is wrong or was used before. Wait for the next one in your app, or use a recovery code.',
);

export const UNREADABLE_KEY = refuse(
  'conflict',
  'Codes from your app cannot be checked because the key of this server has changed. Use a recovery code, or ask the operator to run `sluice member reset-two-factor EMAIL`.',
);

/** Whether it is an unused recovery code, as far as the user was read. */
export function isRecoveryCodeOf({ two_factor }: User, code: string): boolean {
  return !looksLikeAppCode(code) && two_factor?.recovery_hashes.includes(hashRecoveryCode(code)) === true;
}

/** Checks a code and uses it up: neither app codes nor recovery codes are accepted twice. */
export async function checkCode(deps: CheckCodeDeps, user: User, code: string): Promise<CodeChecked> {
  const { user_id, two_factor } = user;
  if (two_factor === undefined) return { status: 'wrong' };
  if (!looksLikeAppCode(code)) {
    const isUnused = await deps.twoFactors.useRecoveryCode(user_id, hashRecoveryCode(code));
    return isUnused ? { status: 'right', by: 'recovery_code' } : { status: 'wrong' };
  }
  const opened = open(deps.keyring, totpContext(user_id), two_factor.sealed_key);
  if (opened.status !== 'opened') return { status: 'unreadable' };
  const step = stepOfCode(opened.secret, code, deps.now());
  if (step === undefined) return { status: 'wrong' };
  const isFirstUse = await deps.twoFactors.useStep(user_id, two_factor.sealed_key, step);
  return isFirstUse ? { status: 'right', by: 'app' } : { status: 'wrong' };
}
