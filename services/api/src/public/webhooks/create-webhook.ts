import { subscriptionInput, subscriptionRecord, subscriptionWithSecret } from '@sluice/contract/subscription';
import { createIntent } from '@sluice/outbound/subscriptions/create-intent';
import {
  createSubscription,
  type SubscriptionCreated,
} from '@sluice/outbound/subscriptions/create-subscription';
import type * as z from 'zod';
import { refuse } from '../../http/result.ts';
import { webhookDeed } from '../../webhooks/deed.ts';
import { filterUnknown, limitReached, urlRefused } from '../../webhooks/refusals.ts';
import { type PublicCall, type PublicResult, publicRoute } from '../declare-route.ts';
import type { WebhookRouteDeps } from './deps.ts';
import { noteRefusedCreate } from './note-refused.ts';
import { CHANGE_BUDGET_MS, readWebhookAgain, shown, WEBHOOK_ROUTE } from './webhook-route.ts';

type Call = PublicCall<undefined, z.output<typeof subscriptionInput>, 'sub'>;

export const createWebhook = publicRoute({
  ...WEBHOOK_ROUTE,
  method: 'POST',
  path: '/api/public/webhooks',
  operationId: 'createWebhook',
  summary: 'Subscribe a URL to changes',
  description:
    'Idempotent by URL: a second create of the same key and URL returns the same subscription, with the new events and filter. ' +
    'A create of another key of the account takes the subscription over, with a new secret. ' +
    'A key that was rotated subscribes for the key that replaces it. ' +
    'A subscription that this key deleted in the last 10 minutes is revived with the same id, and gets what happened meanwhile. ' +
    'With `If-Match`, it neither creates nor revives. ' +
    'A URL with `/webhook-test/`, or `client.mode: "test"`, ends after 10 minutes.',
  budgetMs: CHANGE_BUDGET_MS,
  body: subscriptionInput,
  creates: ['sub'],
  success: { 201: 'The URL is subscribed.', 200: 'The URL was subscribed already.' },
  response: subscriptionWithSecret,
  etag: subscriptionRecord,
  ifMatch: true,
  recordsAt: '/api/public/webhooks',
  // The repetition of a create reads the subscription again. It may be gone.
  problems: ['not_found', 'subscription_limit_reached'],
  intent: ({ accountId, body: input, ids }: Call, { subscriptionDeps }: WebhookRouteDeps) =>
    createIntent(subscriptionDeps, { accountId, input, newId: ids.sub }),
  async handler(call: Call, { subscriptionDeps, refusedSubscriptions }: WebhookRouteDeps) {
    const { accountId, apiKey, body: input, ids } = call;
    const created = await createSubscription(subscriptionDeps, {
      accountId,
      key: apiKey,
      input,
      newId: ids.sub,
      ifMatch: call.isConditional ? (call.ifMatch ?? 'any') : undefined,
    });
    if ('secret' in created) {
      const { account_id, target_url } = created.subscription;
      await refusedSubscriptions.forgetRefused(account_id, apiKey.key_id, target_url);
    }
    return createdAnswer(created, { newId: ids.sub, urlName: input.url_name });
  },
  readAgain: readWebhookAgain,
  onRefused: noteRefusedCreate,
});

const ACTIONS = {
  created: 'webhook.created',
  existing: 'webhook.changed',
  taken_over: 'webhook.taken_over',
} as const;

/** The parts of a create that its response depends on. */
interface CreateAsked {
  /** The id that this request gives a new subscription. */
  readonly newId: string;
  /** The field in which the client sent the URL. */
  readonly urlName?: string | undefined;
}

/**
 * A created subscription as a response, with its secret. One that exists with the id that this request would give it was created by an
 * earlier request with the same Idempotency-Key, which died before it was confirmed.
 */
export function createdAnswer(
  created: SubscriptionCreated,
  { newId, urlName }: CreateAsked,
): PublicResult<ReturnType<typeof shown>['body'] & { secret?: string }> {
  switch (created.status) {
    case 'created':
    case 'existing':
    case 'taken_over': {
      const { status, subscription, secret, changed } = created;
      const done = shown(subscription);
      const isOwn = status === 'existing' && subscription.subscription_id === newId;
      const action = isOwn ? 'webhook.created' : ACTIONS[status];
      return {
        ...done,
        body: { ...done.body, secret },
        status: status === 'created' ? 201 : 200,
        ...((changed || isOwn) && {
          deed: webhookDeed(action, subscription, subscription.events.join(', ')),
        }),
      };
    }
    case 'url_refused':
      return urlRefused(created.detail, urlName);
    case 'filter_unknown':
      return filterUnknown(created.field);
    case 'limit_reached':
      return limitReached(created.limit);
    case 'url_taken':
      // Only an admin's create gets it.
      return refuse('target_url_taken', 'Another webhook subscription of the account has this URL.');
    case 'changed_meanwhile':
      return refuse(
        'changed_meanwhile',
        'The subscription was changed or deleted since you read it. Read it again, then repeat the create.',
      );
    case 'key_revoked':
      return refuse('key_revoked', 'This API key was revoked. Create a new one in the dashboard.');
  }
}
