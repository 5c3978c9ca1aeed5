import { DEFAULT_PLAN } from '@sluice/contract/account/plans';
import { formatInstant } from '@sluice/contract/time/instant';
import type { Account, Accounts } from '@sluice/store/accounts/accounts';
import { type CommandFailure, failed, wrongUsage } from './exit-codes.ts';
import type { Output, Row } from './output.ts';

/** The account that `npm start` creates. This command line creates it too if there is no account. */
const DEFAULT_ACCOUNT = 'demo';

interface Choosing {
  readonly accounts: Accounts;
  readonly output: Output;
}

/**
 * Chooses the account of a command: the named one, else `demo`, else the only one. If there is no account, it creates
 * `demo`. Prints the choice on stderr, unless the account was named.
 */
export async function chooseAccount(
  { accounts, output, now }: Choosing & { now: () => number },
  named: string | undefined,
): Promise<string> {
  if (named !== undefined) return named;
  const chosen = await defaultAccount({ accounts, output });
  if (chosen !== undefined) return chosen;
  // Idempotent: of two concurrent commands, one creates the account and the other finds it.
  const account = {
    account_id: DEFAULT_ACCOUNT,
    name: DEFAULT_ACCOUNT,
    plan: DEFAULT_PLAN,
    created_at: now(),
  };
  await accounts.insertAccount(account);
  output.note(`Account: ${DEFAULT_ACCOUNT}. It was created now, because there was no account.`);
  return DEFAULT_ACCOUNT;
}

/** Like chooseAccount, but creates none. Fails if the account does not exist. */
export async function existingAccount(choosing: Choosing, named: string | undefined): Promise<string> {
  if (named === undefined) {
    const chosen = await defaultAccount(choosing);
    if (chosen === undefined)
      throw failed('There is no account yet. Create one: sluice account create --name NAME');
    return chosen;
  }
  if ((await choosing.accounts.findAccount(named)) === undefined) throw noSuchAccount(named);
  return named;
}

/** Undefined: there is no account. */
async function defaultAccount({ accounts, output }: Choosing): Promise<string | undefined> {
  const all = await accounts.listAccounts();
  const chosen =
    all.find((account) => account.account_id === DEFAULT_ACCOUNT) ?? (all.length === 1 ? all[0] : undefined);
  if (chosen !== undefined) {
    output.note(`Account: ${chosen.account_id} (${chosen.name}). Choose another with --account ID.`);
    return chosen.account_id;
  }
  if (all.length > 1) {
    const ids = all.map((account) => account.account_id).join(', ');
    throw wrongUsage(`Several accounts exist. Add --account ID with one of: ${ids}`);
  }
  return undefined;
}

/** The error for an unknown account. */
export function noSuchAccount(accountId: string): CommandFailure {
  return failed(`There is no account ${accountId}. See: sluice account list`);
}

/** Fails for an unknown account. Without it, the list of a mistyped account would look like that of a new one. */
export async function expectAccount(accounts: Accounts, accountId: string | undefined): Promise<void> {
  if (accountId !== undefined && (await accounts.findAccount(accountId)) === undefined)
    throw noSuchAccount(accountId);
}

/** The output row of an account. */
export function accountRow({ account_id, name, plan, created_at }: Account): Row {
  return { account_id, name, plan, created_at: formatInstant(created_at) };
}

/** The error for a plan that PLANS doesn't contain. */
export function unknownPlan(plan: string | undefined, known: readonly string[]): CommandFailure {
  return wrongUsage(`Unknown plan ${plan}. PLANS has: ${known.join(', ')}`);
}
