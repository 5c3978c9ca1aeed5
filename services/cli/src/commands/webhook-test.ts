import { testInput } from '@sluice/contract/subscription/webhook-again';
import { describeAttempt } from '@sluice/outbound/subscriptions/describe-message';
import { testSubscription } from '@sluice/outbound/subscriptions/test-subscription';
import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed, tryAgainLater } from '../exit-codes.ts';
import { parseOptions } from '../parse-options.ts';
import { changeWebhook } from '../webhooks/change-webhook.ts';
import { testRow } from '../webhooks/test-row.ts';

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
        detailOf: ({ message_id }) => message_id,
      });
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
