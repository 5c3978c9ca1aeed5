import { formatInstant } from '@sluice/contract/instant';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { webhookRecovery, webhookTest } from '@sluice/dashboard-api/webhooks';
import { recoverMessages } from '@sluice/outbound/subscriptions/recover-messages';
import { testSubscription } from '@sluice/outbound/subscriptions/test-subscription';
import type { Binder } from '../http/bind.ts';
import { done, refuse } from '../http/result.ts';
import { describeRecovery } from './describe-recovery.ts';
import { describeTest, TEST_STOPPED } from './describe-test.ts';
import type { MessageRoutesDeps } from './message-routes.ts';
import { NO_WEBHOOK } from './no-webhook.ts';
import { onWebhook } from './on-webhook.ts';
import { sinceInTheFuture, tooManyWaiting } from './refusals.ts';

/** An admin waits in front of the page. A slower answer appears in the list of messages. Milliseconds. */
const WAIT_MS = 8000;

/** Sending a test, and sending again what was missed. */
export function againRoutes({ guarded }: Binder, deps: MessageRoutesDeps): void {
  const { subscriptionDeps } = deps;
  const routes = ROUTES.webhooks;

  guarded(routes.test, { body: webhookTest }, async (call) => {
    const { event: kind } = call.body;
    const tested = await onWebhook(deps, call, {
      action: 'webhook.tested',
      work: (asked) => testSubscription(subscriptionDeps, { ...asked, kind, waitMs: WAIT_MS }),
      changed: (result) =>
        'message_id' in result ? { subscription: result.subscription, detail: result.message_id } : undefined,
    });
    switch (tested.status) {
      case 'answered':
      case 'waiting': {
        const attempt = tested.status === 'answered' ? tested.attempt : undefined;
        return done(describeTest(tested.message_id, attempt));
      }
      case 'not_found':
        return NO_WEBHOOK;
      case 'stopped':
        return refuse('subscription_paused', TEST_STOPPED[tested.why]);
    }
  });

  guarded(routes.recover, { body: webhookRecovery }, async (call) => {
    const { since } = call.body;
    const recovered = await onWebhook(deps, call, {
      action: 'webhook.recovered',
      detail: `since ${formatInstant(since)}`,
      work: (asked) => recoverMessages(subscriptionDeps, { ...asked, since }),
      changed: (result) =>
        result.status === 'queued'
          ? {
              subscription: result.subscription,
              detail: `${result.messages} since ${formatInstant(since)}`,
            }
          : undefined,
    });
    switch (recovered.status) {
      case 'queued':
        return done(describeRecovery(recovered));
      case 'not_found':
        return NO_WEBHOOK;
      case 'in_the_future':
        return sinceInTheFuture(recovered.now);
      case 'too_many_waiting':
        return tooManyWaiting(recovered.limit);
    }
  });
}
