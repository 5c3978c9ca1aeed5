import { subscriptionPatch } from '@sluice/contract/subscription';
import { changeSubscription } from '@sluice/subscriptions/change-subscription';
import { subscriptionTarget } from '@sluice/subscriptions/subscription-target';
import type { Command } from 'commander';
import { type Context, onStores } from '../context.ts';
import { failed, wrongUsage } from '../exit-codes.ts';
import { parseOptions } from '../parse-options.ts';
import { accountOfWebhook, noSuchWebhook, webhookRow } from '../webhooks/webhook-access.ts';
import {
  addWebhookOptions,
  EVENT_KINDS_HELP,
  type WebhookOptions,
  webhookOf,
} from '../webhooks/webhook-options.ts';

const HELP = `${EVENT_KINDS_HELP}
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
    async ({ stack, output, options, now, audit }, subscriptionId = '') => {
      const patch = parseOptions(subscriptionPatch, webhookOf(options));
      const fields = Object.keys(patch);
      if (fields.length === 0) throw wrongUsage('Nothing to change. Add an option, such as --events a,b.');
      const accountId = await accountOfWebhook(await stack.store(), subscriptionId);
      const deps = await stack.subscriptions(now);
      const changed = await changeSubscription(deps, { accountId, subscriptionId, patch });
      switch (changed.status) {
        case 'changed':
          await audit(accountId, {
            action: 'webhook.changed',
            target: subscriptionTarget(changed.subscription),
            detail: fields.join(', '),
          });
          return output.record(webhookRow(changed.subscription));
        case 'unchanged':
          return output.record(webhookRow(changed.subscription));
        case 'not_found':
          throw noSuchWebhook(subscriptionId);
        case 'changed_meanwhile':
          throw failed('The subscription was changed meanwhile. Run this command again.');
        case 'url_taken':
          throw failed(
            'Another webhook subscription of the account has this URL. Change or delete that one.',
          );
        case 'url_refused':
          throw wrongUsage(`--url: ${changed.detail}`);
      }
    },
  );
}
