import { setPlan } from '@sluice/accounts/account/set-plan';
import type { Deed } from '@sluice/accounts/audit/audited';
import type { Command } from 'commander';
import { accountRow, unknownPlan } from '../account-row.ts';
import { configuredPlans } from '../configured-plans.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { wrongUsage } from '../exit-codes.ts';
import { noSuchAccount } from '../no-such-account.ts';

interface Options extends CommonOptions {
  readonly account?: string;
  readonly plan?: string;
}

/** sluice account set-plan */
export function addAccountSetPlan(parent: Command, context: Context): void {
  const command = parent
    .command('set-plan')
    .description("change an account's plan, effective from the next request")
    .argument('[account_id]', 'the account (or --account)')
    .argument('[plan]', 'one of PLANS (or --plan)')
    .option('--account <id>', 'the account')
    .option('--plan <plan>', 'one of PLANS')
    .addHelpText('after', '\nExample:\n  sluice account set-plan acc_… pro');

  onStores<Options>(context, command, async ({ stack, output, options, audited }, ...positional) => {
    const { accountId, plan } = named(options, positional);
    const plans = configuredPlans(stack.env);
    // Before the entry in the audit log, which an unknown plan needs not.
    if (!plans.has(plan)) throw unknownPlan(plan, [...plans.keys()]);
    const { accounts, sources } = await stack.store();
    const directory = await stack.directory();
    const account = await accounts.findAccount(accountId);
    if (account === undefined) throw noSuchAccount(accountId);
    const deedFrom = (before: string): Deed => ({
      action: 'account.plan_changed',
      target: { id: accountId, name: account.name },
      detail: `${before} -> ${plan}`,
    });
    const result = await audited(accountId, {
      intent: deedFrom(account.plan),
      work: () => setPlan({ accounts, sources, directory, plans }, accountId, plan),
      deed: (set) => (set.status === 'set' ? deedFrom(set.before) : undefined),
    });
    if (result.status === 'unknown_plan') throw unknownPlan(plan, result.known);
    if (result.status === 'account_not_found') throw noSuchAccount(accountId);
    output.record(accountRow(result.account));
  });
}

/** Account and plan may each be an option or a positional argument. */
function named(options: Options, positional: readonly string[]): { accountId: string; plan: string } {
  const rest = [...positional];
  const accountId = options.account ?? rest.shift();
  const plan = options.plan ?? rest.shift();
  if (accountId === undefined || plan === undefined || rest.length > 0) {
    throw wrongUsage('Name one account and one plan. Example: sluice account set-plan acc_… pro');
  }
  return { accountId, plan };
}
