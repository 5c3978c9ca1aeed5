import type { Delivery, ListedDelivery } from '@sluice/contract/delivery/delivery';
import { formatInstant, instantOrNull } from '@sluice/contract/time/instant';
import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed } from '../exit-codes.ts';
import { positiveInteger } from '../option-types.ts';
import type { Row } from '../output.ts';
import { noSuch } from '../source-family.ts';

interface ListOptions extends CommonOptions {
  readonly source: string;
  readonly limit?: number;
}

/** A table shows one screenful. --json prints everything. */
const TABLE_LIMIT = 50;
const LIST_COLUMNS = [
  'received_at',
  'action',
  'http_status',
  'title',
  'outcome',
  'code',
  'count',
  'delivery_id',
];

/** sluice deliveries list */
export function addDeliveriesList(parent: Command, context: Context): void {
  const command = parent
    .command('list')
    .description("list a source's deliveries, newest first")
    .requiredOption('--source <id>', 'the source')
    .option('--limit <n>', `only the newest N (default: ${TABLE_LIMIT}; all with --json)`, positiveInteger)
    .addHelpText('after', '\nExample:\n  sluice deliveries list --source src_… --limit 20');

  onStores<ListOptions>(context, command, async ({ stack, output, options }) => {
    const { source: source_id, limit = options.json ? undefined : TABLE_LIMIT } = options;
    const { sources, deliveries } = await stack.store();
    if ((await sources.findSource(source_id)) === undefined) throw noSuch('source', source_id);
    const found = deliveries.listDeliveries({ source_id, ...(limit !== undefined && { limit }) });
    await output.rows(deliveryRows(found), LIST_COLUMNS);
  });
}

async function* deliveryRows(deliveries: AsyncIterable<Delivery>): AsyncIterable<Row> {
  for await (const delivery of deliveries) yield deliveryRow(delivery);
}

/** sluice deliveries show */
export function addDeliveriesShow(parent: Command, context: Context): void {
  const command = parent
    .command('show')
    .description('show everything that is stored about one delivery, with the request')
    .argument('<id>', 'id of the delivery, dlv_…, or of its request, req_…')
    .addHelpText('after', '\nExample:\n  sluice deliveries show dlv_… --json');

  onStores<CommonOptions>(context, command, async ({ stack, output }, id = '') => {
    const { deliverySearch } = await stack.store();
    const found = id.startsWith('req_')
      ? await deliverySearch.findRefusal(id)
      : await deliverySearch.findDelivery(id);
    if (found === undefined)
      throw failed(
        `There is no delivery ${id}. It may be older than the delivery log, or not be applied yet. See: sluice deliveries list --source ID`,
      );
    const reprocessedAs = await deliverySearch.listReprocesses(found.delivery_id);
    output.record({ ...detailRow(found), reprocessed_as: reprocessedAs });
  });
}

function detailRow(delivery: Delivery): Row {
  const {
    source_id,
    account_id,
    external_id,
    conversation_id,
    origin,
    reprocess_of,
    signed_with,
    mapped,
    applied_at,
    request,
  } = delivery;
  return {
    ...deliveryRow(delivery),
    ...{ source_id, account_id, external_id: external_id ?? null, conversation_id: conversation_id ?? null },
    ...{ origin: origin ?? 'webhook', reprocess_of: reprocess_of ?? null },
    signed_with: signed_with ?? null,
    mapped: mapped ?? null,
    applied_at: instantOrNull(applied_at),
    request: request === undefined ? null : { ...request },
  };
}

/** The row of a delivery for lists. */
export function deliveryRow(delivery: ListedDelivery): Row {
  return {
    delivery_id: delivery.delivery_id,
    received_at: formatInstant(delivery.received_at),
    action: delivery.action,
    http_status: delivery.http_status,
    title: delivery.title,
    outcome: delivery.outcome,
    code: delivery.code ?? delivery.unapplied ?? null,
    request_id: delivery.request_id,
    duplicate_of: delivery.duplicate_of,
    count: delivery.count,
    reason: delivery.reason,
    sequence: delivery.sequence,
    event_id: delivery.event_id,
  };
}
