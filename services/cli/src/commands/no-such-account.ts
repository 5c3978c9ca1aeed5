import type { Accounts } from '@sluice/store/accounts';
import { type CommandFailure, failed } from '../exit-codes.ts';

/** What every command says of an account that is not there. */
export function noSuchAccount(accountId: string): CommandFailure {
  return failed(`There is no account ${accountId}. See: sluice account list`);
}

/** A list of what a mistyped account has would be empty, as that of a new one is. */
export async function expectAccount(accounts: Accounts, accountId: string | undefined): Promise<void> {
  if (accountId !== undefined && (await accounts.findAccount(accountId)) === undefined)
    throw noSuchAccount(accountId);
}
