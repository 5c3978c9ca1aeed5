import { formatInstant } from '@sluice/contract/time/instant';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { messageQuery, webhookRecovery, webhookTest } from '@sluice/dashboard-api/webhooks';
import { describeMessage, describeRedelivery } from '@sluice/outbound/subscriptions/describe-message';
import { discardWaiting } from '@sluice/outbound/subscriptions/discard-waiting';
import { type MessagePlace, pageMessages } from '@sluice/outbound/subscriptions/read-messages';
import { recoverMessages } from '@sluice/outbound/subscriptions/recover-messages';
import { redeliverMessage } from '@sluice/outbound/subscriptions/redeliver-message';
import { testSubscription } from '@sluice/outbound/subscriptions/test-subscription';
import type { Binder } from '../http/bind.ts';
import { done } from '../http/result.ts';
import type { RouteDeps } from '../parts.ts';
import { describeRecovery, describeTest } from './describe-webhook.ts';
import { onWebhook } from './on-webhook.ts';
import { BY_ADMIN } from './refusals.ts';

const PAGE = 50;

/** An admin waits in front of the page. A slower response of a receiver appears in the list of messages. Milliseconds. */
const WAIT_MS = 8000;

/** The messages of a webhook subscription, with their attempts. Sends tests and what was missed, or discards what waits. */
export function messageRoutes({ guarded }: Binder, deps: RouteDeps): void {
  const { subscriptionDeps } = deps;
  const routes = ROUTES.webhooks;

  guarded(routes.messages, { query: messageQuery }, async ({ who, params, query: { status, cursor } }) => {
    const page = await pageMessages(subscriptionDeps, {
      accountId: who.accountId,
      subscriptionId: params.webhookId as string,
      status,
      cursor: cursor === undefined ? undefined : readCursor(cursor),
      limit: PAGE,
    });
    if (page.status === 'not_found') return BY_ADMIN.notFound;
    const next_cursor = page.next === null ? null : writeCursor(page.next);
    return done({ items: page.messages.map(describeMessage), next_cursor });
  });

  guarded(routes.discard, {}, async (call) => {
    const discarded = await onWebhook(deps, call, {
      action: 'webhook.discarded',
      work: (asked) => discardWaiting(subscriptionDeps, asked),
      detailOf: ({ messages }) => `${messages} messages`,
    });
    return 'outcome' in discarded ? discarded : done({ messages: discarded.messages });
  });

  guarded(routes.redeliver, {}, async (call) => {
    const messageId = call.params.messageId as string;
    const redelivered = await onWebhook(deps, call, {
      action: 'webhook.redelivered',
      detail: messageId,
      work: (asked) => redeliverMessage(subscriptionDeps, { ...asked, messageId }),
    });
    if ('outcome' in redelivered) return redelivered;
    return done(describeRedelivery(redelivered.message, redelivered.leaves));
  });

  guarded(routes.test, { body: webhookTest }, async (call) => {
    const { event: kind } = call.body;
    const tested = await onWebhook(deps, call, {
      action: 'webhook.tested',
      work: (asked) => testSubscription(subscriptionDeps, { ...asked, kind, waitMs: WAIT_MS }),
      detailOf: ({ message_id }) => message_id,
    });
    return 'outcome' in tested ? tested : done(describeTest(tested));
  });

  guarded(routes.recover, { body: webhookRecovery }, async (call) => {
    const { since } = call.body;
    const detail = `since ${formatInstant(since)}`;
    const recovered = await onWebhook(deps, call, {
      action: 'webhook.recovered',
      detail,
      work: (asked) => recoverMessages(subscriptionDeps, { ...asked, since }),
      detailOf: ({ messages }) => `${messages} ${detail}`,
    });
    return 'outcome' in recovered ? recovered : done(describeRecovery(recovered));
  });
}

/** The page belongs to a subscription that the caller reaches, so the cursor needs no signature. */
function writeCursor({ created_at, message_id }: MessagePlace): string {
  return `${created_at}.${message_id}`;
}

/** A cursor that was changed means another place of the same list. */
function readCursor(text: string): MessagePlace {
  const [at = '', ...rest] = text.split('.');
  return { created_at: Number(at) || 0, message_id: rest.join('.') };
}
