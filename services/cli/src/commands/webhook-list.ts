import type { Command } from 'commander';
import { existingAccount } from '../accounts.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { accountOfWebhook, forPeople, noSuchWebhook, rowsWithHealth } from '../webhooks/webhook-access.ts';

interface Options extends CommonOptions {
  readonly account?: string;
  readonly includeTests?: true;
}

const COLUMNS = [
  ...['id', 'status', 'reason', 'events', 'waiting', 'success_ratio', 'next_attempt_at', 'name'],
  'target_url',
];

/** sluice webhook list */
export function addWebhookList(parent: Command, context: Context): void {
  const command = parent
    .command('list')
    .description('list the webhook subscriptions of an account, oldest first, with how their receivers do')
    .option('--account <id>', 'account of the subscriptions (default: demo, or the only account)')
    .option('--include-tests', 'include tests of platforms, which end after 10 minutes');

  onStores<Options>(context, command, async ({ stack, output, options, now }) => {
    const { accounts, subscriptions } = await stack.store();
    const accountId = await existingAccount({ accounts, output }, options.account);
    const { isPresent } = await import('@sluice/outbound/subscriptions/life');
    const all = await subscriptions.listSubscriptions(accountId);
    const shown = all.filter((one) => isPresent(one, now()) && (options.includeTests || !one.ephemeral));
    const rows = await rowsWithHealth(await stack.publishing(now), accountId, shown);
    const named = rows.map((row, at) => ({
      ...row,
      name: row.name ?? shown[at]?.client?.workflow_name ?? null,
    }));
    await output.rows(options.json ? rows : named.map((row) => forPeople(row, now())), COLUMNS);
  });
}

/** sluice webhook show */
export function addWebhookShow(parent: Command, context: Context): void {
  const command = parent
    .command('show')
    .description('show a webhook subscription and how its receiver does; its secret is never shown again')
    .argument('<webhook_id>', 'the webhook subscription');

  onStores<CommonOptions>(context, command, async ({ stack, output, options, now }, subscriptionId = '') => {
    const accountId = await accountOfWebhook(await stack.store(), subscriptionId);
    const deps = await stack.publishing(now);
    const { findReached } = await import('@sluice/outbound/subscriptions/find-reached');
    const found = await findReached(deps, { accountId, subscriptionId });
    const [row] = found === undefined ? [] : await rowsWithHealth(deps, accountId, [found]);
    if (row === undefined) throw noSuchWebhook(subscriptionId);
    output.record(options.json ? row : forPeople(row, now()));
  });
}
