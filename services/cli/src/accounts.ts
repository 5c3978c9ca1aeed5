import { DEFAULT_PLAN } from '@sluice/contract/plans';
import type { Accounts } from '@sluice/store/accounts';
import { wrongUsage } from './exit-codes.ts';
import type { Output } from './output.ts';

/** The account that `npm start` creates. This command line creates it too if there is no account. */
const DEFAULT_ACCOUNT = 'demo';

/**
 * Chooses the account of a command: the named one, else `demo`, else the only one. If there is no account, it creates
 * `demo`. Prints the choice on stderr, unless the account was named.
 */
export async function chooseAccount(
  { accounts, output, now }: { accounts: Accounts; output: Output; now: () => number },
  named: string | undefined,
): Promise<string> {
  if (named !== undefined) return named;
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
