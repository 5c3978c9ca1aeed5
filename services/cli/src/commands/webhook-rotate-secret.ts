import { SECRET_OVERLAPS, type SecretOverlap } from '@sluice/contract/subscription-limits';
import { rotateSubscriptionSecret } from '@sluice/subscriptions/rotate-subscription-secret';
import { subscriptionTarget } from '@sluice/subscriptions/subscription-target';
import { type Command, Option } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { accountOfWebhook, noSuchWebhook, webhookRow } from '../webhooks/webhook-access.ts';

interface Options extends CommonOptions {
  readonly overlap: SecretOverlap;
}

/** sluice webhook rotate-secret */
export function addWebhookRotateSecret(parent: Command, context: Context): void {
  const command = parent
    .command('rotate-secret')
    .description('replace the secret; during --overlap, messages are signed with the old one too')
    .argument('<webhook_id>', 'the webhook subscription')
    .addOption(
      new Option('--overlap <time>', 'how long messages are signed with the old secret too')
        .choices(Object.keys(SECRET_OVERLAPS))
        .default('24h'),
    );

  onStores<Options>(context, command, async ({ stack, output, options, now, audit }, subscriptionId = '') => {
    const { overlap } = options;
    const accountId = await accountOfWebhook(await stack.store(), subscriptionId);
    const deps = await stack.subscriptions(now);
    const rotated = await rotateSubscriptionSecret(deps, { accountId, subscriptionId, overlap });
    if (rotated.status === 'not_found') throw noSuchWebhook(subscriptionId);
    const { subscription, secret } = rotated;
    await audit(accountId, {
      action: 'webhook.secret_rotated',
      target: subscriptionTarget(subscription),
      detail: `overlap ${overlap}`,
    });
    output.record({ ...webhookRow(subscription), secret });
  });
}
