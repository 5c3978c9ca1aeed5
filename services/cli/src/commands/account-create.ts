import { createAccount } from '@sluice/accounts/account/create-account';
import type { Command } from 'commander';
import { accountRow, unknownPlan } from '../account-row.ts';
import { configuredPlans } from '../configured-plans.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed } from '../exit-codes.ts';
import { givenName } from '../option-types.ts';

interface Options extends CommonOptions {
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

  onStores<Options>(context, command, async ({ stack, output, options, now }) => {
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
