import { subscriptionPatch } from '@sluice/contract/subscription/subscription';
import { changeSubscription } from '@sluice/outbound/subscriptions/change-subscription';
import type { Command } from 'commander';
import { type Context, onStores } from '../context.ts';
import { wrongUsage } from '../exit-codes.ts';
import { parseOptions } from '../parse-options.ts';
import { changeWebhook } from '../webhooks/change-webhook.ts';
import { accountOfWebhook, webhookRow } from '../webhooks/webhook-access.ts';
import {
  addWebhookOptions,
  type WebhookOptions,
  webhookOf,
  withStageId,
} from '../webhooks/webhook-options.ts';

const HELP = `
An empty value removes a filter or the name: --stage ""

Example:
  sluice webhook update sub_… --events "*" --no-ordered`;

/** sluice webhook update */
export function addWebhookUpdate(parent: Command, context: Context): void {
  const command = addWebhookOptions(parent.command('update').argument('<webhook_id>', 'the subscription'))
    .description('change a webhook subscription; what is not named stays')
    .addHelpText('after', HELP);

  onStores<WebhookOptions>(
    context,
    command,
    async ({ stack, output, options, now, audited }, subscriptionId = '') => {
      const fields = Object.keys(parseOptions(subscriptionPatch, webhookOf(options)));
      if (fields.length === 0) throw wrongUsage('Nothing to change. Add an option, such as --events a,b.');
      const deps = await stack.subscriptions(now);
      const store = await stack.store();
      const accountId = await accountOfWebhook(store, subscriptionId);
      const patch = parseOptions(subscriptionPatch, webhookOf(await withStageId(store, accountId, options)));
      const changed = await changeWebhook({ stack, audited }, subscriptionId, {
        action: 'webhook.changed',
        detail: fields.join(', '),
        work: (asked) => changeSubscription(deps, { ...asked, patch }),
      });
      output.record(webhookRow(changed.subscription));
    },
  );
}
