import { formatInstant } from '@sluice/contract/instant';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { messageQuery } from '@sluice/dashboard-api/webhooks';
import type { SubscriptionDeps } from '@sluice/outbound/subscriptions/deps';
import { describeMessage, describeRedelivery } from '@sluice/outbound/subscriptions/describe-message';
import { discardWaiting } from '@sluice/outbound/subscriptions/discard-waiting';
import { type MessagePlace, pageMessages } from '@sluice/outbound/subscriptions/read-messages';
import { redeliverMessage } from '@sluice/outbound/subscriptions/redeliver-message';
import type { Audited } from '../audit/record.ts';
import type { Binder } from '../http/bind.ts';
import { done, refuse } from '../http/result.ts';
import { NO_WEBHOOK } from './no-webhook.ts';
import { onWebhook } from './on-webhook.ts';
import { CONTENTS_GONE, TEST_NOT_KEPT } from './refusals.ts';

export interface MessageRoutesDeps {
  readonly subscriptionDeps: SubscriptionDeps;
  readonly audited: Audited;
}

const PAGE = 50;

/** The messages of a webhook subscription, with their attempts. Sends one again, or discards what waits. */
export function messageRoutes({ guarded }: Binder, deps: MessageRoutesDeps): void {
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
    if (page.status === 'not_found') return NO_WEBHOOK;
    const next_cursor = page.next === null ? null : writeCursor(page.next);
    return done({ items: page.messages.map(describeMessage), next_cursor });
  });

  guarded(routes.discard, {}, async (call) => {
    const discarded = await onWebhook(deps, call, {
      action: 'webhook.discarded',
      work: (asked) => discardWaiting(subscriptionDeps, asked),
      changed: (result) =>
        result.status === 'discarded'
          ? { subscription: result.subscription, detail: `${result.messages} messages` }
          : undefined,
    });
    return discarded.status === 'not_found' ? NO_WEBHOOK : done({ messages: discarded.messages });
  });

  guarded(routes.redeliver, {}, async (call) => {
    const messageId = call.params.messageId as string;
    const redelivered = await onWebhook(deps, call, {
      action: 'webhook.redelivered',
      detail: messageId,
      work: (asked) => redeliverMessage(subscriptionDeps, { ...asked, messageId }),
      changed: (result) => (result.status === 'queued' ? result : undefined),
    });
    switch (redelivered.status) {
      case 'queued':
        return done(describeRedelivery(redelivered.message, redelivered.leaves));
      case 'not_found':
        return NO_WEBHOOK;
      case 'no_message':
        return refuse('not_found', 'This message was not attempted yet, or is older than 30 days.');
      case 'gone':
        return CONTENTS_GONE;
      case 'test':
        return TEST_NOT_KEPT;
      case 'before_takeover':
        return refuse(
          'conflict',
          `Another API key had this subscription until ${formatInstant(redelivered.takenOverAt)}. Older messages are not sent again.`,
        );
    }
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
