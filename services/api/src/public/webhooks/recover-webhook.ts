import { formatInstant } from '@sluice/contract/instant';
import { type RecoverInput, recoverInput, recoverResult } from '@sluice/contract/webhook-again';
import { findReached } from '@sluice/outbound/subscriptions/find-reached';
import { RECOVER_MAX, recoverMessages } from '@sluice/outbound/subscriptions/recover-messages';
import { webhookDeed } from '../../webhooks/deed.ts';
import { describeRecovery } from '../../webhooks/describe-recovery.ts';
import { sinceInTheFuture, tooManyWaiting } from '../../webhooks/refusals.ts';
import { type FirstAnswer, type PublicCall, publicRoute } from '../declare-route.ts';
import type { WebhookRouteDeps } from './deps.ts';
import { AGAIN_SENTENCE, limitAgain } from './limit-again.ts';
import {
  askedFor,
  CHANGE_BUDGET_MS,
  intentOf,
  NO_WEBHOOK,
  WEBHOOK_ID,
  WEBHOOK_ROUTE,
} from './webhook-route.ts';

type Call = PublicCall<undefined, RecoverInput>;
type KeptRecovery = [messages: number, more: boolean, until: number, since?: number];

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
  success: { 200: 'The messages are in the mailbox.' },
  response: recoverResult,
  problems: ['not_found', 'conflict', 'rate_limited'],
  limit: limitAgain,
  intent: intentOf('webhook.recovered'),
  async handler(call: Call, deps: WebhookRouteDeps) {
    const { since } = call.body;
    const recovered = await recoverMessages(deps.subscriptionDeps, { ...askedFor(call), since });
    switch (recovered.status) {
      case 'queued': {
        const { messages, more, until, subscription } = recovered;
        const detail = `${messages} since ${formatInstant(since)}`;
        return {
          outcome: 'done',
          body: describeRecovery(recovered),
          // A replay makes the same answer from it.
          target: JSON.stringify([messages, more, until, recovered.since]),
          ...(messages > 0 && { deed: webhookDeed('webhook.recovered', subscription, detail) }),
        };
      }
      case 'not_found':
        return NO_WEBHOOK;
      case 'in_the_future':
        return sinceInTheFuture(recovered.now);
      case 'too_many_waiting':
        return tooManyWaiting(recovered.limit);
    }
  },
  async readAgain({ status, target }: FirstAnswer, call: Call, { subscriptionDeps }: WebhookRouteDeps) {
    if ((await findReached(subscriptionDeps, askedFor(call))) === undefined) return NO_WEBHOOK;
    // The previous version kept no `since`.
    const [messages, more, until, since = call.body.since] = JSON.parse(target) as KeptRecovery;
    return { outcome: 'done', status, target, body: describeRecovery({ messages, more, since, until }) };
  },
});
