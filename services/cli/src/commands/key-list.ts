import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { keyRow } from '../key-row.ts';
import { expectAccount } from '../no-such-account.ts';

interface Options extends CommonOptions {
  readonly account?: string;
}

/** sluice key list */
export function addKeyList(parent: Command, context: Context): void {
  const command = parent
    .command('list')
    .description('list the API keys, oldest first, including revoked keys')
    .option('--account <id>', 'only those of one account');

  onStores<Options>(context, command, async ({ stack, output, options }) => {
    const { accounts, apiKeys } = await stack.store();
    await expectAccount(accounts, options.account);
    const found = await apiKeys.listApiKeys(
      options.account === undefined ? {} : { account_id: options.account },
    );
    await output.rows(found.map(keyRow), [
      'key_id',
      'name',
      'prefix',
      'scopes',
      'expires_at',
      'revoked_at',
      'last_used_at',
    ]);
  });
}
