import type { Accounts } from '@sluice/store/accounts/accounts';
import { type CommandFailure, failed } from './exit-codes.ts';

/** The error for an unknown account. */
export function noSuchAccount(accountId: string): CommandFailure {
  return failed(`There is no account ${accountId}. See: sluice account list`);
}

/** Fails for an unknown account. Without it, the list of a mistyped account would look like that of a new one. */
export async function expectAccount(accounts: Accounts, accountId: string | undefined): Promise<void> {
  if (accountId !== undefined && (await accounts.findAccount(accountId)) === undefined)
    throw noSuchAccount(accountId);
}
