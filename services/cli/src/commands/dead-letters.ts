import type { AuditAction } from '@sluice/contract/dashboard/audit-actions';
import { formatInstant } from '@sluice/contract/instant';
import { dropDeadLetter, listDeadLetters, retryDeadLetter } from '@sluice/management/dead-letters';
import { letterFields, letterTarget } from '@sluice/management/letter-fields';
import type { StoredDeadLetter } from '@sluice/queue/dead-letters';
import type { Command } from 'commander';
import type { Audit } from '../audit.ts';
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

  onStores<CommonOptions>(context, command, async ({ stack, output, audit }, deliveryId = '') => {
    const deps = { deadLetters: await stack.deadLetters(), producer: await stack.producer() };
    const letter = await deps.deadLetters.get(deliveryId);
    const result = await retryDeadLetter(deps, deliveryId);
    if (letter === undefined || result.status === 'letter_not_found') throw noSuchLetter(deliveryId);
    await note(audit, 'dead_letter.retried', letter);
    output.record({ delivery_id: deliveryId, status: result.status });
  });
}

/** sluice dead-letters drop */
export function addDeadLettersDrop(parent: Command, context: Context): void {
  const command = parent
    .command('drop')
    .description('give an action up for good')
    .argument('<delivery_id>', 'the delivery that it came with');

  onStores<CommonOptions>(context, command, async ({ stack, output, audit }, deliveryId = '') => {
    const deadLetters = await stack.deadLetters();
    const letter = await deadLetters.get(deliveryId);
    const result = await dropDeadLetter({ deadLetters }, deliveryId);
    if (letter === undefined || result.status === 'letter_not_found') throw noSuchLetter(deliveryId);
    await note(audit, 'dead_letter.dropped', letter);
    output.record({ delivery_id: deliveryId, status: result.status });
  });
}

/** A letter that does not say whose it is has no audit log to be in. */
async function note(audit: Audit, action: AuditAction, letter: StoredDeadLetter): Promise<void> {
  const { account_id: accountId } = letterFields(letter);
  if (accountId !== null) await audit(accountId, { action, target: letterTarget(letter) });
}

function noSuchLetter(deliveryId: string) {
  return failed(`There is no dead letter ${deliveryId}. See: sluice dead-letters list`);
}
