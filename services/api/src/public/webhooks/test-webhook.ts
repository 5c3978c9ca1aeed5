import { type TestInput, testInput, testResult } from '@sluice/contract/webhook-again';
import { findReached } from '@sluice/outbound/subscriptions/find-reached';
import { TEST_WAIT_MS, testSubscription } from '@sluice/outbound/subscriptions/test-subscription';
import { refuse } from '../../http/result.ts';
import { webhookDeed } from '../../webhooks/deed.ts';
import { describeTest, TEST_STOPPED } from '../../webhooks/describe-test.ts';
import { type FirstAnswer, type PublicCall, publicRoute } from '../declare-route.ts';
import type { WebhookRouteDeps } from './deps.ts';
import { AGAIN_SENTENCE, limitAgain } from './limit-again.ts';
import { askedFor, intentOf, NO_WEBHOOK, WEBHOOK_ID, WEBHOOK_ROUTE } from './webhook-route.ts';

type Call = PublicCall<undefined, TestInput>;

/** The stores need some time too. Milliseconds. */
const TEST_BUDGET_MS = TEST_WAIT_MS + 3000;

export const testWebhook = publicRoute({
  ...WEBHOOK_ROUTE,
  method: 'POST',
  path: '/api/public/webhooks/:webhookId/test',
  operationId: 'testWebhook',
  summary: 'Test a webhook subscription',
  description:
    'Sends one made-up message now, before all others, and responds with what the receiver answered. It is signed, has the ' +
    'header `webhook-test: 1`, and is not tried again. A receiver that fails gets it too, a paused subscription does not. ' +
    AGAIN_SENTENCE,
  budgetMs: TEST_BUDGET_MS,
  params: WEBHOOK_ID,
  body: testInput,
  success: { 200: 'The attempt. `waiting`: no dispatcher has made it within 17 s.' },
  response: testResult,
  problems: ['not_found', 'subscription_paused', 'rate_limited'],
  limit: limitAgain,
  intent: intentOf('webhook.tested'),
  async handler(call: Call, deps: WebhookRouteDeps) {
    const { event: kind } = call.body;
    const tested = await testSubscription(deps.subscriptionDeps, { ...askedFor(call), kind });
    switch (tested.status) {
      case 'answered':
      case 'waiting': {
        const { message_id, subscription } = tested;
        const attempt = tested.status === 'answered' ? tested.attempt : undefined;
        return {
          outcome: 'done',
          body: describeTest(message_id, attempt),
          target: message_id,
          deed: webhookDeed('webhook.tested', subscription, message_id),
        };
      }
      case 'not_found':
        return NO_WEBHOOK;
      case 'stopped':
        return refuse('subscription_paused', TEST_STOPPED[tested.why]);
    }
  },
  async readAgain({ status, target }: FirstAnswer, call: Call, { subscriptionDeps }: WebhookRouteDeps) {
    if ((await findReached(subscriptionDeps, askedFor(call))) === undefined) return NO_WEBHOOK;
    const found = await subscriptionDeps.webhookMessages.findMessage(call.params.webhookId as string, target);
    return { outcome: 'done', body: describeTest(target, found?.attempts[0]), status, target };
  },
});
