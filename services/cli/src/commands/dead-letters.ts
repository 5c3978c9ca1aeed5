import { knownChange } from '@sluice/accounts/audit/audited';
import {
  type DeadLetterDropped,
  type DeadLetterRetried,
  dropDeadLetter,
  isFound,
  letterFields,
  letterTarget,
  retryDeadLetter,
} from '@sluice/accounts/dead-letters/dead-letters';
import type { AuditAction } from '@sluice/contract/account/audit-actions';
import { formatInstant } from '@sluice/contract/time/instant';
import type { DeadLetters, StoredDeadLetter } from '@sluice/queue/dead-letters';
import type { Command } from 'commander';
import type { Audited } from '../audit.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed } from '../exit-codes.ts';
import { positiveInteger } from '../option-types.ts';
import type { Cell, Row } from '../output.ts';
import type { Stack } from '../stack.ts';

interface ListOptions extends CommonOptions {
  readonly limit: number;
  readonly after?: string;
}

const LIST_LIMIT = 100;

/** sluice dead-letters list */
export function addDeadLettersList(parent: Command, context: Context): void {
  const command = parent
    .command('list')
    .description('list the actions that could not be applied, oldest first')
    .option('--limit <n>', 'the size of a page', positiveInteger, LIST_LIMIT)
    .option(
      '--after <delivery_id>',
      'the page behind this letter, which was the last one of the previous page',
    );

  onStores<ListOptions>(context, command, async ({ stack, output, options }) => {
    const { limit, after } = options;
    const deadLetters = await stack.deadLetters();
    const page = await deadLetters.page(limit, after);
    if (page === undefined) throw noSuchPlace(after ?? '');
    await output.rows(rowsOf(page.letters), ['delivery_id', 'failed_at', 'reason']);
    if (page.left > 0)
      output.note(
        `${page.left} of ${page.total} are newer. Next page: sluice dead-letters list --limit ${limit} --after ${page.last}`,
      );
  });
}

async function* rowsOf(letters: AsyncIterable<StoredDeadLetter>): AsyncGenerator<Row> {
  for await (const { delivery_id, failed_at, reason, action } of letters)
    yield { delivery_id, failed_at: formatInstant(failed_at), reason, action: action as Cell };
}

/** sluice dead-letters retry */
export function addDeadLettersRetry(parent: Command, context: Context): void {
  addForEach(parent, context, {
    verb: 'retry',
    description: 'retry actions; an action that fails again stays a dead letter',
    action: 'dead_letter.retried',
    async open(stack) {
      const deps = { deadLetters: await stack.deadLetters(), producer: await stack.producer() };
      return { ...deps, run: (deliveryId) => retryDeadLetter(deps, deliveryId) };
    },
  });
}

/** sluice dead-letters drop */
export function addDeadLettersDrop(parent: Command, context: Context): void {
  addForEach(parent, context, {
    verb: 'drop',
    description: 'delete actions permanently, without applying them',
    action: 'dead_letter.dropped',
    async open(stack) {
      const deps = { deadLetters: await stack.deadLetters() };
      return { ...deps, run: (deliveryId) => dropDeadLetter(deps, deliveryId) };
    },
  });
}

interface ForEach {
  readonly verb: string;
  readonly description: string;
  readonly action: AuditAction;
  readonly open: (stack: Stack) => Promise<{
    readonly deadLetters: DeadLetters;
    readonly run: (deliveryId: string) => Promise<Handled>;
  }>;
}

const MANY = `
To process all dead letters:
  sluice dead-letters list --limit 1000000 --json | jq -r .delivery_id | xargs -n 1000 sluice dead-letters`;

/** A command that handles each given letter. A missing letter doesn't stop the others. */
function addForEach(parent: Command, context: Context, { verb, description, action, open }: ForEach): void {
  const command = parent
    .command(verb)
    .description(description)
    .argument('<delivery_id...>', 'delivery ids of the dead letters')
    .addHelpText('after', `${MANY} ${verb}`);

  onStores<CommonOptions>(context, command, async ({ stack, output, audited }, ...deliveryIds) => {
    const { deadLetters, run } = await open(stack);
    const missing: string[] = [];
    for (const deliveryId of deliveryIds) {
      const letter = await deadLetters.get(deliveryId);
      const status = letter && (await noted(audited, action, letter, () => run(deliveryId))).status;
      if (status === undefined || status === 'letter_not_found') missing.push(deliveryId);
      else output.record({ delivery_id: deliveryId, status });
    }
    if (missing.length > 0) throw noSuchLetters(missing);
  });
}

type Handled = DeadLetterRetried | DeadLetterDropped;

/** Handles a letter, with an entry in the account's audit log. A letter without an account has no audit log. */
async function noted(
  audited: Audited,
  action: AuditAction,
  letter: StoredDeadLetter,
  work: () => Promise<Handled>,
): Promise<Handled> {
  const { account_id: accountId } = letterFields(letter);
  if (accountId === null) return work();
  return audited(accountId, knownChange({ action, target: letterTarget(letter) }, work, isFound));
}

function noSuchLetters(deliveryIds: readonly string[]) {
  return failed(`There is no dead letter ${deliveryIds.join(', ')}. See: sluice dead-letters list`);
}

function noSuchPlace(after: string) {
  return failed(
    `There is no dead letter ${after}. It may have been retried or dropped meanwhile. List again without --after.`,
  );
}
