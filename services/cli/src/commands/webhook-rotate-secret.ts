import type { Overlap } from '@sluice/contract/account/overlap';
import { rotatedSecretNote } from '@sluice/contract/account/rotated-secret-note';
import { rotateSubscriptionSecret } from '@sluice/outbound/subscriptions/rotate-subscription-secret';
import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { overlapOption } from '../option-types.ts';
import { changeWebhook } from '../webhooks/change-webhook.ts';
import { webhookRow } from '../webhooks/webhook-access.ts';

interface Options extends CommonOptions {
  readonly overlap: Overlap;
}

/** sluice webhook rotate-secret */
export function addWebhookRotateSecret(parent: Command, context: Context): void {
  const command = parent
    .command('rotate-secret')
    .description('replace the secret; during --overlap, messages are signed with the old one too')
    .argument('<webhook_id>', 'the webhook subscription')
    .addOption(overlapOption('how long messages are signed with the old secret too', '24h'));

  onStores<Options>(
    context,
    command,
    async ({ stack, output, options, now, audited }, subscriptionId = '') => {
      const overlap = options.overlap === '0' ? 'none' : options.overlap;
      const deps = await stack.subscriptions(now);
      const rotated = await changeWebhook({ stack, audited }, subscriptionId, {
        action: 'webhook.secret_rotated',
        detail: `overlap ${overlap}`,
        work: (asked) => rotateSubscriptionSecret(deps, { ...asked, overlap }),
      });
      const { subscription, secret } = rotated;
      const note = rotatedSecretNote({
        platform: subscription.client?.platform,
        keyId: subscription.key_id,
      });
      if (note !== undefined) output.note(note);
      output.record({ ...webhookRow(subscription), secret });
    },
  );
}
