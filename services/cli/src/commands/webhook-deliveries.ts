import { MESSAGE_STATUSES, type MessageStatus } from '@sluice/contract/subscription/webhook-delivery';
import { describeMessage } from '@sluice/outbound/subscriptions/describe-message';
import { type MessagePlace, pageMessages } from '@sluice/outbound/subscriptions/read-messages';
import { type Command, Option } from 'commander';
import { type Context, onStores } from '../context.ts';
import { positiveInteger } from '../option-types.ts';
import type { Row } from '../output.ts';
import { type LimitOption, limitOf, readPages } from '../paged-list.ts';
import { accountOfWebhook, forPeople, noSuchWebhook } from '../webhooks/webhook-access.ts';

interface Options extends LimitOption {
  readonly status?: MessageStatus;
}

const TABLE_LIMIT = 50;
const COLUMNS = ['created_at', 'type', 'status', 'attempts', 'next_attempt_at', 'last_result', 'id'];

/** sluice webhook deliveries */
export function addWebhookDeliveries(parent: Command, context: Context): void {
  const command = parent
    .command('deliveries')
    .description('list the messages of a webhook subscription with their attempts, newest first')
    .argument('<webhook_id>', 'the webhook subscription')
    .addOption(new Option('--status <status>', 'only messages of this status').choices(MESSAGE_STATUSES))
    .option('--limit <n>', `only the newest N (default: ${TABLE_LIMIT}; all with --json)`, positiveInteger);

  onStores<Options>(context, command, async ({ stack, output, options, now }, subscriptionId = '') => {
    const accountId = await accountOfWebhook(await stack.store(), subscriptionId);
    const deps = await stack.publishing(now);
    const limit = limitOf(options, TABLE_LIMIT);
    const rows = messagesOf(deps, { accountId, subscriptionId, status: options.status, limit });
    await output.rows(options.json ? rows : shortened(rows, now()), COLUMNS);
  });
}

function messagesOf(
  deps: Parameters<typeof pageMessages>[0],
  { limit: most, ...wanted }: Omit<Parameters<typeof pageMessages>[1], 'cursor'>,
): AsyncGenerator<ReturnType<typeof describeMessage>> {
  return readPages<ReturnType<typeof describeMessage>, MessagePlace>(most, async ({ limit, after }) => {
    const page = await pageMessages(deps, { ...wanted, limit, cursor: after });
    if (page.status === 'not_found') throw noSuchWebhook(wanted.subscriptionId);
    return { items: page.messages.map(describeMessage), next: page.next };
  });
}

/** A table has the number of attempts, and the sentence about the last one. */
async function* shortened(
  rows: AsyncIterable<ReturnType<typeof describeMessage>>,
  now: number,
): AsyncGenerator<Row> {
  for await (const row of rows)
    yield {
      ...forPeople(row, now),
      ...{ attempts: row.attempts.length, last_result: row.attempts.at(-1)?.detail ?? null },
    };
}
