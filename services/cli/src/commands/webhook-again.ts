import { formatInstant } from '@sluice/contract/time/instant';
import { describeRedelivery } from '@sluice/outbound/subscriptions/describe-message';
import { recoverMessages } from '@sluice/outbound/subscriptions/recover-messages';
import { redeliverMessage } from '@sluice/outbound/subscriptions/redeliver-message';
import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { instant } from '../option-types.ts';
import { changeWebhook } from '../webhooks/change-webhook.ts';

/** sluice webhook redeliver */
export function addWebhookRedeliver(parent: Command, context: Context): void {
  const command = parent
    .command('redeliver')
    .description('send a message again with the same id')
    .argument('<webhook_id>', 'the webhook subscription')
    .argument('<message_id>', 'the message')
    .addHelpText('after', '\nExample:\n  sluice webhook redeliver sub_… msg_…');

  onStores<CommonOptions>(
    context,
    command,
    async ({ stack, output, now, audited }, subscriptionId = '', messageId = '') => {
      const deps = await stack.subscriptions(now);
      const redelivered = await changeWebhook({ stack, audited }, subscriptionId, {
        action: 'webhook.redelivered',
        detail: messageId,
        work: (asked) => redeliverMessage(deps, { ...asked, messageId }),
      });
      output.record(describeRedelivery(redelivered.message, redelivered.leaves));
    },
  );
}

interface RecoverOptions extends CommonOptions {
  readonly since: number;
}

/** sluice webhook recover */
export function addWebhookRecover(parent: Command, context: Context): void {
  const command = parent
    .command('recover')
    .description('send again what a webhook subscription asked for and has not received')
    .argument('<webhook_id>', 'the webhook subscription')
    .requiredOption('--since <datetime>', 'changes since this time (ISO 8601)', instant)
    .addHelpText('after', '\nExample:\n  sluice webhook recover sub_… --since 2026-11-27T00:00:00Z');

  onStores<RecoverOptions>(
    context,
    command,
    async ({ stack, output, options, now, audited }, subscriptionId = '') => {
      const deps = await stack.subscriptions(now);
      let messages = 0;
      let recoveredSince: number | undefined;
      for (let since: number | undefined = options.since; since !== undefined; ) {
        const from: number = since;
        const part = await changeWebhook({ stack, audited }, subscriptionId, {
          action: 'webhook.recovered',
          detail: `since ${formatInstant(from)}`,
          work: (asked) => recoverMessages(deps, { ...asked, since: from }),
          detailOf: ({ messages }) => `${messages} since ${formatInstant(from)}`,
          isMade: ({ messages }) => messages > 0,
        });
        messages += part.messages;
        recoveredSince ??= part.since;
        since = part.more ? part.until : undefined;
      }
      output.record({
        ...{ id: subscriptionId, since: formatInstant(options.since), messages },
        // Later than `since` if the subscription is younger, was taken over later, or the log does not go back so far.
        recovered_since: formatInstant(recoveredSince ?? options.since),
      });
    },
  );
}
