import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { sourceRow } from '../source-row.ts';
import { expectAccount } from './no-such-account.ts';

interface Options extends CommonOptions {
  readonly account?: string;
}

/** sluice source list */
export function addSourceList(parent: Command, context: Context): void {
  const command = parent
    .command('list')
    .description('list the sources, oldest first')
    .option('--account <id>', 'only those of one account');

  onStores<Options>(context, command, async ({ stack, output, options }) => {
    const { accounts, sources } = await stack.store();
    await expectAccount(accounts, options.account);
    const found = await sources.listSources(
      options.account === undefined ? {} : { account_id: options.account },
    );
    const columns = ['source_id', 'name', 'account_id', 'active', 'created_at', 'endpoint_url'];
    await output.rows(
      found.map((source) => sourceRow(stack.eventsUrl, source)),
      columns,
    );
  });
}
