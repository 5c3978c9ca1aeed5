import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { expectAccount } from '../no-such-account.ts';
import { CHANNELS, EVENT_SOURCES, type SourceFamily } from '../source-family.ts';

interface Options extends CommonOptions {
  readonly account?: string;
}

/** sluice source list */
export function addSourceList(parent: Command, context: Context): void {
  addList(parent, context, EVENT_SOURCES);
}

/** sluice channel list */
export function addChannelList(parent: Command, context: Context): void {
  addList(parent, context, CHANNELS);
}

function addList(parent: Command, context: Context, { kind, noun, columns, row }: SourceFamily): void {
  const command = parent
    .command('list')
    .description(`list the ${noun}s, oldest first`)
    .option('--account <id>', 'only those of one account');

  onStores<Options>(context, command, async ({ stack, output, options }) => {
    const { accounts, sources } = await stack.store();
    await expectAccount(accounts, options.account);
    const account = options.account === undefined ? {} : { account_id: options.account };
    const found = await sources.listSources({ ...account, kind, live: true });
    await output.rows(
      found.map((source) => row(stack.eventsUrl, source)),
      [...columns],
    );
  });
}
