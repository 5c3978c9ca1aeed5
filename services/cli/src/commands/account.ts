import { createAccount } from '@sluice/accounts/account/create-account';
import { setPlan } from '@sluice/accounts/account/set-plan';
import type { Deed } from '@sluice/accounts/audit/audited';
import type { Command } from 'commander';
import { accountRow, noSuchAccount, unknownPlan } from '../accounts.ts';
import { configuredPlans } from '../configured.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed, wrongUsage } from '../exit-codes.ts';
import { givenName } from '../option-types.ts';

interface CreateOptions extends CommonOptions {
  readonly name: string;
  readonly plan?: string;
}

/** sluice account create */
export function addAccountCreate(parent: Command, context: Context): void {
  const command = parent
    .command('create')
    .description('create an account')
    .requiredOption('--name <name>', 'name of the account', givenName)
    .option('--plan <plan>', 'one of PLANS (default: unlimited)')
    .addHelpText('after', '\nExample:\n  sluice account create --name "Concert hall" --plan free');

  onStores<CreateOptions>(context, command, async ({ stack, output, options, now }) => {
    const { name, plan } = options;
    const plans = configuredPlans(stack.env);
    const { accounts } = await stack.store();
    const result = await createAccount(
      { accounts, plans, now },
      { name, ...(plan !== undefined && { plan }) },
    );
    if (result.status === 'unknown_plan') throw unknownPlan(plan, result.known);
    if (result.status === 'account_exists')
      throw failed('The generated id already exists. Run this command again.');
    output.record(accountRow(result.account));
  });
}

/** sluice account list */
export function addAccountList(parent: Command, context: Context): void {
  const command = parent.command('list').description('list the accounts, oldest first');

  onStores<CommonOptions>(context, command, async ({ stack, output }) => {
    const { accounts } = await stack.store();
    await output.rows((await accounts.listAccounts()).map(accountRow), [
      'account_id',
      'name',
      'plan',
      'created_at',
    ]);
  });
}

interface PlanOptions extends CommonOptions {
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

  onStores<PlanOptions>(context, command, async ({ stack, output, options, audited }, ...positional) => {
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
function named(options: PlanOptions, positional: readonly string[]): { accountId: string; plan: string } {
  const rest = [...positional];
  const accountId = options.account ?? rest.shift();
  const plan = options.plan ?? rest.shift();
  if (accountId === undefined || plan === undefined || rest.length > 0) {
    throw wrongUsage('Name one account and one plan. Example: sluice account set-plan acc_… pro');
  }
  return { accountId, plan };
}
