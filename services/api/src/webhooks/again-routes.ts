import { formatInstant } from '@sluice/contract/instant';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { webhookRecovery, webhookTest } from '@sluice/dashboard-api/webhooks';
import { recoverMessages } from '@sluice/subscriptions/recover-messages';
import { testSubscription } from '@sluice/subscriptions/test-subscription';
import type { Binder } from '../http/bind.ts';
import { done, refuse } from '../http/result.ts';
import { webhookDeed } from './deed.ts';
import { describeTest, TEST_STOPPED } from './describe-test.ts';
import type { MessageRoutesDeps } from './message-routes.ts';
import { NO_WEBHOOK } from './no-webhook.ts';
import { sinceInTheFuture, tooManyWaiting } from './refusals.ts';

/** An admin waits in front of the page. A slower answer appears in the list of messages. Milliseconds. */
const WAIT_MS = 8000;

/** Sending a test, and sending again what was missed. */
export function againRoutes({ guarded }: Binder, { subscriptionDeps, audit }: MessageRoutesDeps): void {
  const routes = ROUTES.webhooks;

  guarded(routes.test, { body: webhookTest }, async ({ who, params, body: { event: kind }, request }) => {
    const asked = { accountId: who.accountId, subscriptionId: params.webhookId as string };
    const tested = await testSubscription(subscriptionDeps, { ...asked, kind, waitMs: WAIT_MS });
    switch (tested.status) {
      case 'answered':
      case 'waiting': {
        const { message_id, subscription } = tested;
        await audit(who, request, webhookDeed('webhook.tested', subscription, message_id));
        return done(describeTest(message_id, tested.status === 'answered' ? tested.attempt : undefined));
      }
      case 'not_found':
        return NO_WEBHOOK;
      case 'stopped':
        return refuse('subscription_paused', TEST_STOPPED[tested.why]);
    }
  });

  guarded(routes.recover, { body: webhookRecovery }, async ({ who, params, body: { since }, request }) => {
    const asked = { accountId: who.accountId, subscriptionId: params.webhookId as string };
    const recovered = await recoverMessages(subscriptionDeps, { ...asked, since });
    switch (recovered.status) {
      case 'queued': {
        const { messages, more, until, subscription } = recovered;
        const detail = `${messages} since ${formatInstant(since)}`;
        await audit(who, request, webhookDeed('webhook.recovered', subscription, detail));
        return done({ messages, more, recovered_until: formatInstant(until) });
      }
      case 'not_found':
        return NO_WEBHOOK;
      case 'in_the_future':
        return sinceInTheFuture(recovered.now);
      case 'too_many_waiting':
        return tooManyWaiting(recovered.limit);
    }
  });
}
