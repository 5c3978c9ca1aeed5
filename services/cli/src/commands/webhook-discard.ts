import { discardWaiting } from '@sluice/outbound/subscriptions/discard-waiting';
import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { changeWebhook } from '../webhooks/change-webhook.ts';

/** sluice webhook discard */
export function addWebhookDiscard(parent: Command, context: Context): void {
  const command = parent
    .command('discard')
    .description('discard what waits for a webhook subscription; each message can be sent again for 30 days')
    .argument('<webhook_id>', 'the webhook subscription')
    .addHelpText('after', '\nExample:\n  sluice webhook discard sub_…');

  onStores<CommonOptions>(context, command, async ({ stack, output, now, audited }, subscriptionId = '') => {
    const deps = await stack.publishing(now);
    const discarded = await changeWebhook({ stack, audited }, subscriptionId, {
      action: 'webhook.discarded',
      work: (asked) => discardWaiting(deps, asked),
      detailOf: ({ messages }) => `${messages} messages`,
    });
    output.record({ id: subscriptionId, discarded: discarded.messages });
  });
}
