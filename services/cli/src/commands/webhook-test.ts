import { testInput } from '@sluice/contract/webhook-again';
import { describeAttempt } from '@sluice/subscriptions/describe-message';
import { subscriptionTarget } from '@sluice/subscriptions/subscription-target';
import { type SubscriptionTested, testSubscription } from '@sluice/subscriptions/test-subscription';
import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed, tryAgainLater } from '../exit-codes.ts';
import { parseOptions } from '../parse-options.ts';
import { accountOfWebhook, noSuchWebhook } from '../webhooks/webhook-access.ts';

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

  onStores<Options>(context, command, async ({ stack, output, options, now, audit }, subscriptionId = '') => {
    const { event: kind } = parseOptions(
      testInput,
      options.event === undefined ? {} : { event: options.event },
    );
    const accountId = await accountOfWebhook(await stack.store(), subscriptionId);
    const tested = await testSubscription(await stack.subscriptions(now), {
      accountId,
      subscriptionId,
      kind,
    });
    if (tested.status === 'not_found') throw noSuchWebhook(subscriptionId);
    if (tested.status === 'stopped') throw failed(`No test was sent. ${STOPPED[tested.why]}`);
    const { message_id, subscription } = tested;
    const target = subscriptionTarget(subscription);
    await audit(accountId, { action: 'webhook.tested', target, detail: message_id });
    if (tested.status === 'waiting')
      throw tryAgainLater(
        `No dispatcher has sent ${message_id} yet. It is sent within 10 minutes. Are dispatchers running?`,
      );
    output.record({ message_id, ...describeAttempt(tested.attempt) });
    if (tested.attempt.code !== 'delivered') throw failed(tested.attempt.sentence);
  });
}

const STOPPED: Readonly<Record<(SubscriptionTested & { status: 'stopped' })['why'], string>> = {
  by_admin: 'The subscription is paused. Resume it: sluice webhook resume ID',
  by_client: 'The subscription is paused. Resume it: sluice webhook resume ID',
  key_revoked: 'Its API key was revoked. Adopt it: sluice webhook adopt ID',
  key_expired: 'Its API key has expired. Adopt it: sluice webhook adopt ID',
  deleted: 'The subscription was deleted.',
  ended: 'The time of the subscription is over. Create it again.',
};
