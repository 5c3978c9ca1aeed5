import { subscriptionInput } from '@sluice/contract/subscription/subscription';
import { newId } from '@sluice/credentials/ids';
import { isSuccess } from '@sluice/outbound/subscriptions/audited-change';
import { createdDeed, createIntent } from '@sluice/outbound/subscriptions/create-intent';
import type { Command } from 'commander';
import { existingAccount } from '../accounts.ts';
import { type Context, onStores } from '../context.ts';
import { wrongUsage } from '../exit-codes.ts';
import { parseOptions } from '../parse-options.ts';
import { refused } from '../webhooks/refusals.ts';
import { webhookRow } from '../webhooks/webhook-access.ts';
import {
  addWebhookOptions,
  type WebhookOptions,
  webhookOf,
  withStageId,
} from '../webhooks/webhook-options.ts';

interface Options extends WebhookOptions {
  readonly account?: string;
  readonly paused?: true;
}

const HELP = `
A second create with the same URL changes the subscription and prints its secret again.

Example:
  sluice webhook create --url https://hooks.example.com/1 --events lead.created,lead.stage_changed`;

/** sluice webhook create */
export function addWebhookCreate(parent: Command, context: Context): void {
  const command = addWebhookOptions(parent.command('create'))
    .description('subscribe a URL to changes; prints the secret that signs the messages')
    .option('--paused', 'messages wait until "sluice webhook resume"')
    .option('--account <id>', 'account of the subscription (default: demo, or the only account)')
    .addHelpText('after', HELP);

  onStores<Options>(context, command, async ({ stack, output, options, now, audited }) => {
    expectNeeded(options);
    const paused = options.paused && { active: false };
    const parsed = (given: Options) => parseOptions(subscriptionInput, { ...webhookOf(given), ...paused });
    // Wrong usage is reported before any store is asked.
    parsed(options);
    const deps = await stack.subscriptions(now);
    const store = await stack.store();
    const accountId = await existingAccount({ accounts: store.accounts, output }, options.account);
    const input = parsed(await withStageId(store, accountId, options));
    const { createSubscription } = await import('@sluice/outbound/subscriptions/create-subscription');
    const wanted = { accountId, input, newId: newId('sub') };
    const work = () => createSubscription(deps, wanted);
    const intent = await createIntent(deps, wanted);
    const created =
      intent === undefined ? await work() : await audited(accountId, { intent, work, deed: createdDeed });
    if (!isSuccess(created)) throw refused(created, wanted.newId);
    const { status, subscription, secret } = created;
    if (status !== 'created') output.note('The URL was subscribed already.');
    output.record({ ...webhookRow(subscription), secret });
  });
}

function expectNeeded({ url, events }: Options): void {
  if (!url) throw wrongUsage('Add --url URL, such as --url https://hooks.example.com/1');
  if (!events) throw wrongUsage('Add --events KINDS, such as --events lead.created');
}
