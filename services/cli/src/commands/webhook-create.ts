import type { Deed } from '@sluice/accounts/audit/audited';
import { subscriptionInput } from '@sluice/contract/subscription/subscription';
import { newId } from '@sluice/credentials/ids';
import { createIntent } from '@sluice/outbound/subscriptions/create-intent';
import type { SubscriptionCreated } from '@sluice/outbound/subscriptions/create-subscription';
import { subscriptionTarget } from '@sluice/outbound/subscriptions/name-subscription';
import type { Command } from 'commander';
import { existingAccount } from '../accounts.ts';
import { type Context, onStores } from '../context.ts';
import { type CommandFailure, failed, wrongUsage } from '../exit-codes.ts';
import { parseOptions } from '../parse-options.ts';
import { refusedUrl } from '../refused-url.ts';
import { limitSentence, webhookRow } from '../webhooks/webhook-access.ts';
import {
  addWebhookOptions,
  unknownFilter,
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
    if (!('secret' in created)) throw failureOf(created);
    const { status, subscription, secret } = created;
    if (status !== 'created') output.note('The URL was subscribed already.');
    output.record({ ...webhookRow(subscription), secret });
  });
}

function expectNeeded({ url, events }: Options): void {
  if (!url) throw wrongUsage('Add --url URL, such as --url https://hooks.example.com/1');
  if (!events) throw wrongUsage('Add --events KINDS, such as --events lead.created');
}

function createdDeed(created: SubscriptionCreated): Deed | undefined {
  if (!('secret' in created) || !created.changed) return undefined;
  const { status, subscription } = created;
  return {
    action: status === 'created' ? 'webhook.created' : 'webhook.changed',
    target: subscriptionTarget(subscription),
    detail: subscription.events.join(', '),
  };
}

function failureOf(created: Exclude<SubscriptionCreated, { readonly secret: string }>): CommandFailure {
  switch (created.status) {
    case 'url_refused':
      return refusedUrl('--url', created.detail);
    case 'filter_unknown':
      return unknownFilter(created.field);
    case 'limit_reached':
      return failed(limitSentence(created.limit));
    case 'url_taken': {
      const { subscription_id: id, key_id } = created.subscription;
      return failed(
        `The API key ${key_id} has subscribed this URL: ${id}. Change it with: sluice webhook update ${id}`,
      );
    }
    case 'key_revoked':
      throw new Error('a create without a key found its key revoked');
    case 'changed_meanwhile':
      throw new Error('a create without If-Match found a change');
  }
}
