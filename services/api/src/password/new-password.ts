import type { FieldError } from '@sluice/contract/problem';
import type { Accounts } from '@sluice/store/accounts/accounts';
import type { Memberships } from '@sluice/store/accounts/memberships';
import type { User } from '@sluice/store/users/users';
import { refuseFields } from '../http/refuse-fields.ts';
import type { Refusal } from '../http/result.ts';
import { passwordFault } from './password-fault.ts';

export interface NewPasswordDeps {
  readonly accounts: Pick<Accounts, 'findAccount'>;
  readonly memberships: Pick<Memberships, 'listMembershipsOf'>;
}

/** Rejects a new password that can be guessed from the user's email address, name or accounts. */
export async function newPasswordFault(
  { accounts, memberships }: NewPasswordDeps,
  { user_id, email, name }: User,
  password: string,
  pointer = '/new_password',
): Promise<Refusal | undefined> {
  const joined = await memberships.listMembershipsOf(user_id);
  const found = await Promise.all(joined.map(({ account_id }) => accounts.findAccount(account_id)));
  const names = found.flatMap((account) => account?.name ?? []);
  return refuseGuessable(passwordFault(password, { email, name, accounts: names }, pointer));
}

/** The rejection for a fault found by passwordFault. */
export function refuseGuessable(fault: FieldError | undefined): Refusal | undefined {
  return fault && refuseFields([fault]);
}
