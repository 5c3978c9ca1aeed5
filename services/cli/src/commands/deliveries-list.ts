import type { Delivery } from '@sluice/contract/delivery';
import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { deliveryRow } from '../delivery-row.ts';
import { positiveInteger } from '../option-types.ts';
import type { Row } from '../output.ts';
import { noSuch } from '../source-family.ts';

interface Options extends CommonOptions {
  readonly source: string;
  readonly limit?: number;
}

/** A table shows one screenful. --json prints everything. */
const TABLE_LIMIT = 50;
const COLUMNS = ['received_at', 'action', 'http_status', 'title', 'outcome', 'code', 'count', 'delivery_id'];

/** sluice deliveries list */
export function addDeliveriesList(parent: Command, context: Context): void {
  const command = parent
    .command('list')
    .description("list a source's deliveries, newest first")
    .requiredOption('--source <id>', 'the source')
    .option('--limit <n>', `only the newest N (default: ${TABLE_LIMIT}; all with --json)`, positiveInteger)
    .addHelpText('after', '\nExample:\n  sluice deliveries list --source src_… --limit 20');

  onStores<Options>(context, command, async ({ stack, output, options }) => {
    const { source: source_id, limit = options.json ? undefined : TABLE_LIMIT } = options;
    const { sources, deliveries } = await stack.store();
    if ((await sources.findSource(source_id)) === undefined) throw noSuch('source', source_id);
    const found = deliveries.listDeliveries({ source_id, ...(limit !== undefined && { limit }) });
    await output.rows(deliveryRows(found), COLUMNS);
  });
}

async function* deliveryRows(deliveries: AsyncIterable<Delivery>): AsyncIterable<Row> {
  for await (const delivery of deliveries) yield deliveryRow(delivery);
}
