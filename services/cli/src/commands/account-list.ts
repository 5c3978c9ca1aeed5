import type { Command } from 'commander';
import { accountRow } from '../account-row.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';

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
