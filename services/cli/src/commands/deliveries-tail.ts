import { setTimeout as sleep } from 'node:timers/promises';
import { DELIVERY_ACTIONS, type ListedDelivery, OUTCOMES } from '@sluice/contract/delivery/delivery';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { existingAccount } from '../accounts.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { type FollowDeps, followDeliveries } from '../follow-deliveries.ts';
import { positiveInteger } from '../option-types.ts';
import { colourOf, createPaint, type Output, type Paint } from '../output.ts';
import { noSuch } from '../source-family.ts';
import type { Stack } from '../stack.ts';
import { deliveryRow } from './deliveries.ts';

interface Options extends CommonOptions {
  readonly source?: string;
  readonly account?: string;
  readonly action?: string;
  readonly outcome?: string;
  readonly status?: string;
  readonly limit?: number;
}

const COLUMNS = ['received_at', 'http_status', 'action', 'outcome', 'title', 'delivery_id', 'reason'];

const HELP = `
Prints each delivery once it is in the log, until Ctrl-C.
\`sluice tail\` and \`sluice deliveries tail\` are one command.

Examples:
  sluice tail --source src_…
  sluice tail --status 4xx --json | jq .reason`;

/** sluice deliveries tail */
export function addDeliveriesTail(parent: Command, context: Context): void {
  const command = parent
    .command('tail')
    .description('print new deliveries as they come')
    .option('--source <id>', 'only those of one source or channel (default: all of the account)')
    .option('--account <id>', 'account of the deliveries (default: that of --source, demo, or the only one)')
    .addOption(new Option('--action <action>', 'only this action').choices(DELIVERY_ACTIONS))
    .addOption(new Option('--outcome <outcome>', 'only this outcome').choices(OUTCOMES))
    .option('--status <status>', 'only this HTTP status, such as 401, or class, such as 4xx', httpStatus)
    .option('--limit <n>', 'end after N deliveries', positiveInteger)
    .addHelpText('after', HELP);

  onStores<Options>(context, command, async ({ stack, output, options }) => {
    const accountId = await accountOf(stack, output, options);
    const paintCell = createPaintCell(createPaint(context.streams.stdout));
    let left = options.limit ?? Number.POSITIVE_INFINITY;
    let follows = false;
    const { sources, deliverySearch } = await stack.store();
    const read: FollowDeps['read'] = async (from, page) => {
      const all = options.source === undefined ? await sources.listSources({ account_id: accountId }) : [];
      const source_id = options.source ?? all.map((source) => source.source_id);
      return deliverySearch.pageDeliveries({ source_id, from }, page);
    };
    for await (const rows of followDeliveries({ read, pause: sleep, now: Date.now })) {
      if (!output.isRead()) return;
      if (!follows) output.note('Waiting for new deliveries (Ctrl C to quit).');
      follows = true;
      for (const row of rows.filter((one) => isWanted(one, options))) {
        output.line(deliveryRow(row), COLUMNS, (name, text) => paintCell(row, name, text));
        left -= 1;
        if (left === 0) return;
      }
    }
  });
}

/** The status has its colour. Times and ids stand back. */
function createPaintCell(paint: Paint) {
  return (row: ListedDelivery, name: string, text: string): string => {
    if (name === 'http_status') return paint(colourOf(row.http_status), text);
    return name === 'received_at' || name === 'delivery_id' ? paint('dim', text) : text;
  };
}

async function accountOf(stack: Stack, output: Output, { source, account }: Options): Promise<string> {
  const { accounts, sources } = await stack.store();
  if (source === undefined) return existingAccount({ accounts, output }, account);
  const found = await sources.findSource(source);
  if (found === undefined || (account !== undefined && account !== found.account_id))
    throw noSuch('source', source);
  return found.account_id;
}

/** A row that counts rejected or ignored requests is left out: its count still grows. */
function isWanted(row: ListedDelivery, { action, outcome, status }: Options): boolean {
  return (
    (row.request_id !== null || (row.code ?? row.unapplied ?? null) === null) &&
    (action === undefined || row.action === action) &&
    (outcome === undefined || row.outcome === outcome) &&
    (status === undefined || matchesStatus(row.http_status, status))
  );
}

function matchesStatus(status: number, wanted: string): boolean {
  return wanted.endsWith('xx') ? String(status)[0] === wanted[0] : String(status) === wanted;
}

function httpStatus(text: string): string {
  if (!/^[1-5](?:\d\d|xx)$/.test(text))
    throw new InvalidArgumentError('Not an HTTP status or class. Examples: 401, 4xx');
  return text;
}
