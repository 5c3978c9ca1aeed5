import { testInput } from '@sluice/contract/subscription/webhook-again';
import { describeAttempt } from '@sluice/outbound/subscriptions/describe-message';
import { type SubscriptionTested, testSubscription } from '@sluice/outbound/subscriptions/test-subscription';
import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed, tryAgainLater } from '../exit-codes.ts';
import { parseOptions } from '../parse-options.ts';
import { changeWebhook } from '../webhooks/change-webhook.ts';
import { testRow } from '../webhooks/test-row.ts';
import { noSuchWebhook } from '../webhooks/webhook-access.ts';

interface Options extends CommonOptions {
  readonly event?: string;
}

const HELP = `
Exit codes: 0 delivered, 1 the receiver failed, 75 no dispatcher has sent it yet.

Example:
  sluice webhook test sub_… --event lead.created`;

/** sluice webhook test */
export function addWebhookTest(parent: Command, context: Context): void {
  const command = parent
    .command('test')
    .description('send one made-up message now, and print what the receiver responded')
    .argument('<webhook_id>', 'the webhook subscription')
    .option('--event <kind>', 'event kind of the message (default: webhook.test)')
    .addHelpText('after', HELP);

  onStores<Options>(
    context,
    command,
    async ({ stack, output, options, now, audited }, subscriptionId = '') => {
      const { event: kind } = parseOptions(
        testInput,
        options.event === undefined ? {} : { event: options.event },
      );
      const deps = await stack.subscriptions(now);
      const tested = await changeWebhook({ stack, audited }, subscriptionId, {
        action: 'webhook.tested',
        work: (asked) => testSubscription(deps, { ...asked, kind }),
        changed: (result) =>
          'message_id' in result
            ? { subscription: result.subscription, detail: result.message_id }
            : undefined,
      });
      if (tested.status === 'not_found') throw noSuchWebhook(subscriptionId);
      if (tested.status === 'stopped')
        throw failed(`No test was sent. ${STOPPED[tested.why].replace(/ID$/, subscriptionId)}`);
      const { message_id } = tested;
      if (tested.status === 'waiting')
        throw tryAgainLater(
          `No dispatcher has sent ${message_id} yet. It is sent within 10 minutes. Are dispatchers running?`,
        );
      const { code, sentence: detail } = tested.attempt;
      const status = code === 'delivered' ? 'delivered' : 'failed';
      const attempt = describeAttempt(tested.attempt);
      output.record(testRow(subscriptionId, { message_id, status, detail, attempt }));
      if (status === 'failed') throw failed(detail);
    },
  );
}

const STOPPED: Readonly<Record<(SubscriptionTested & { status: 'stopped' })['why'], string>> = {
  by_admin: 'The subscription is paused. Resume it: sluice webhook resume ID',
  by_client: 'The subscription is paused. Resume it: sluice webhook resume ID',
  key_revoked: 'Its API key was revoked. Adopt it: sluice webhook adopt ID',
  key_expired: 'Its API key has expired. Adopt it: sluice webhook adopt ID',
  deleted: 'The subscription was deleted.',
  ended: 'The time of the subscription is over. Create it again.',
};
