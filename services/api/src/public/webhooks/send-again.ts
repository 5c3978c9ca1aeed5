import {
  type RecoverInput,
  recoverInput,
  recoverResult,
  type TestInput,
  testInput,
  testResult,
} from '@sluice/contract/subscription/webhook-again';
import { formatInstant } from '@sluice/contract/time/instant';
import { isSuccess, webhookDeed } from '@sluice/outbound/subscriptions/audited-change';
import { findReached } from '@sluice/outbound/subscriptions/find-reached';
import { RECOVER_MAX, recoverMessages } from '@sluice/outbound/subscriptions/recover-messages';
import { TEST_WAIT_MS, testSubscription } from '@sluice/outbound/subscriptions/test-subscription';
import type { RouteDeps } from '../../parts.ts';
import { describeRecovery, describeTest } from '../../webhooks/describe-webhook.ts';
import { refusalOf } from '../../webhooks/refusals.ts';
import { type FirstAnswer, type PublicCall, publicRoute } from '../layer/declare-route.ts';
import {
  AGAIN_SENTENCE,
  askedFor,
  BY_KEY,
  CHANGE_BUDGET_MS,
  intentOf,
  limitAgain,
  WEBHOOK_ID,
  WEBHOOK_ROUTE,
} from './webhook-route.ts';

type TestCall = PublicCall<undefined, TestInput>;

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
  async handler(call: TestCall, deps: RouteDeps) {
    const { event: kind } = call.body;
    const tested = await testSubscription(deps.subscriptionDeps, { ...askedFor(call), kind });
    if (!isSuccess(tested)) return refusalOf(tested, BY_KEY);
    const { message_id, subscription } = tested;
    const deed = webhookDeed('webhook.tested', subscription, message_id);
    return { outcome: 'done', body: describeTest(tested), target: message_id, deed };
  },
  async readAgain({ status, target }: FirstAnswer, call: TestCall, { subscriptionDeps }: RouteDeps) {
    if ((await findReached(subscriptionDeps, askedFor(call))) === undefined) return BY_KEY.notFound;
    const found = await subscriptionDeps.webhookMessages.findMessage(call.params.webhookId as string, target);
    return {
      outcome: 'done',
      body: describeTest({ message_id: target, attempt: found?.attempts[0] }),
      status,
      target,
    };
  },
});

type RecoverCall = PublicCall<undefined, RecoverInput>;
type KeptRecovery = [messages: number, more: boolean, until: number, since: number];

export const recoverWebhook = publicRoute({
  ...WEBHOOK_ROUTE,
  method: 'POST',
  path: '/api/public/webhooks/:webhookId/recover',
  operationId: 'recoverWebhook',
  summary: 'Send again what a webhook subscription has missed',
  description:
    'Sends the messages about changes since then that were not delivered and do not wait: failed and discarded ones, with the ' +
    'same `webhook-id`. They are sent after what waits, oldest first. It never goes back before the subscription was created, or taken ' +
    `over by this key. One request looks at about ${RECOVER_MAX} changes. ${AGAIN_SENTENCE}`,
  budgetMs: CHANGE_BUDGET_MS,
  params: WEBHOOK_ID,
  body: recoverInput,
  success: { 200: 'The messages wait to be sent.' },
  response: recoverResult,
  problems: ['not_found', 'conflict', 'rate_limited'],
  limit: limitAgain,
  intent: intentOf('webhook.recovered'),
  async handler(call: RecoverCall, deps: RouteDeps) {
    const { since } = call.body;
    const recovered = await recoverMessages(deps.subscriptionDeps, { ...askedFor(call), since });
    if (!isSuccess(recovered)) return refusalOf(recovered, BY_KEY);
    const { messages, more, until, subscription } = recovered;
    const detail = `${messages} since ${formatInstant(since)}`;
    return {
      outcome: 'done',
      body: describeRecovery(recovered),
      // A replay makes the same answer from it.
      target: JSON.stringify([messages, more, until, recovered.since]),
      ...(messages > 0 && { deed: webhookDeed('webhook.recovered', subscription, detail) }),
    };
  },
  async readAgain({ status, target }: FirstAnswer, call: RecoverCall, { subscriptionDeps }: RouteDeps) {
    if ((await findReached(subscriptionDeps, askedFor(call))) === undefined) return BY_KEY.notFound;
    const [messages, more, until, since] = JSON.parse(target) as KeptRecovery;
    return { outcome: 'done', status, target, body: describeRecovery({ messages, more, since, until }) };
  },
});
