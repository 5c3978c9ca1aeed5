import type { Delivery } from '@sluice/contract/delivery';
import { formatInstant } from '@sluice/contract/instant';
import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { deliveryRow } from '../delivery-row.ts';
import { failed } from '../exit-codes.ts';
import type { Row } from '../output.ts';

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
  const { source_id, account_id, conversation_id, origin, reprocess_of, signed_with, applied_at, request } =
    delivery;
  return {
    ...deliveryRow(delivery),
    ...{ source_id, account_id, conversation_id: conversation_id ?? null },
    ...{ origin: origin ?? 'webhook', reprocess_of: reprocess_of ?? null },
    signed_with: signed_with ?? null,
    applied_at: applied_at === undefined ? null : formatInstant(applied_at),
    request: request === undefined ? null : { ...request },
  };
}
