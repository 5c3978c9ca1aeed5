import { DEFAULT_PLAN } from '@sluice/contract/plans';
import type { Accounts } from '@sluice/store/accounts';
import { wrongUsage } from './exit-codes.ts';
import type { Output } from './output.ts';

/** The account that `npm start` makes, and the one that is made here where there is none at all. */
const DEFAULT_ACCOUNT = 'demo';

/**
 * The account a command is about: the one that was named; else `demo`; else the only one; and on an installation that
 * has none yet, `demo` is made. Says on stderr which one it took, unless it was named.
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
    throw wrongUsage(`Which account? Add --account ID, with one of: ${ids}`);
  }
  // Two that come here at once both insert the same id: one makes it, the other finds it made.
  const account = {
    account_id: DEFAULT_ACCOUNT,
    name: DEFAULT_ACCOUNT,
    plan: DEFAULT_PLAN,
    created_at: now(),
  };
  await accounts.insertAccount(account);
  output.note(`Account: ${DEFAULT_ACCOUNT}, made now because there was none.`);
  return DEFAULT_ACCOUNT;
}
