import { formatInstant } from '@sluice/contract/instant';
import { dropDeadLetter, listDeadLetters, retryDeadLetter } from '@sluice/management/dead-letters';
import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed } from '../exit-codes.ts';
import { positiveInteger } from '../option-types.ts';
import type { Cell } from '../output.ts';

interface ListOptions extends CommonOptions {
  readonly limit: number;
}

const LIST_LIMIT = 100;

/** sluice dead-letters list */
export function addDeadLettersList(parent: Command, context: Context): void {
  const command = parent
    .command('list')
    .description('list the actions that could not be applied, oldest first')
    .option('--limit <n>', 'only the oldest N', positiveInteger, LIST_LIMIT);

  onStores<ListOptions>(context, command, async ({ stack, output, options }) => {
    const deadLetters = await stack.deadLetters();
    const letters = await listDeadLetters({ deadLetters }, options.limit);
    const rows = letters.map(({ delivery_id, failed_at, reason, action }) => ({
      delivery_id,
      failed_at: formatInstant(failed_at),
      reason,
      action: action as Cell,
    }));
    await output.rows(rows, ['delivery_id', 'failed_at', 'reason']);
  });
}

/** sluice dead-letters retry */
export function addDeadLettersRetry(parent: Command, context: Context): void {
  const command = parent
    .command('retry')
    .description('enqueue an action once more; it may fail again and come back')
    .argument('<delivery_id>', 'the delivery that it came with');

  onStores<CommonOptions>(context, command, async ({ stack, output }, deliveryId = '') => {
    const deps = { deadLetters: await stack.deadLetters(), producer: await stack.producer() };
    const result = await retryDeadLetter(deps, deliveryId);
    if (result.status === 'letter_not_found') throw noSuchLetter(deliveryId);
    output.record({ delivery_id: deliveryId, status: result.status });
  });
}

/** sluice dead-letters drop */
export function addDeadLettersDrop(parent: Command, context: Context): void {
  const command = parent
    .command('drop')
    .description('give an action up for good')
    .argument('<delivery_id>', 'the delivery that it came with');

  onStores<CommonOptions>(context, command, async ({ stack, output }, deliveryId = '') => {
    const result = await dropDeadLetter({ deadLetters: await stack.deadLetters() }, deliveryId);
    if (result.status === 'letter_not_found') throw noSuchLetter(deliveryId);
    output.record({ delivery_id: deliveryId, status: result.status });
  });
}

function noSuchLetter(deliveryId: string) {
  return failed(`There is no dead letter ${deliveryId}. See: sluice dead-letters list`);
}
