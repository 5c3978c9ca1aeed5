import { discardWaiting } from '@sluice/subscriptions/discard-waiting';
import { subscriptionTarget } from '@sluice/subscriptions/subscription-target';
import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { accountOfWebhook, noSuchWebhook } from '../webhooks/webhook-access.ts';

/** sluice webhook discard */
export function addWebhookDiscard(parent: Command, context: Context): void {
  const command = parent
    .command('discard')
    .description('discard what waits for a webhook subscription; each message can be sent again for 30 days')
    .argument('<webhook_id>', 'the webhook subscription')
    .addHelpText('after', '\nExample:\n  sluice webhook discard sub_…');

  onStores<CommonOptions>(context, command, async ({ stack, output, now, audit }, subscriptionId = '') => {
    const accountId = await accountOfWebhook(await stack.store(), subscriptionId);
    const discarded = await discardWaiting(await stack.publishing(now), { accountId, subscriptionId });
    if (discarded.status === 'not_found') throw noSuchWebhook(subscriptionId);
    const { messages, subscription } = discarded;
    await audit(accountId, {
      action: 'webhook.discarded',
      target: subscriptionTarget(subscription),
      detail: `${messages} messages`,
    });
    output.record({ id: subscriptionId, discarded: messages });
  });
}
