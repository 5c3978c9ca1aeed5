import { type SubscriptionPatch, subscriptionPatch, subscriptionRecord } from '@sluice/contract/subscription';
import { changeSubscription } from '@sluice/outbound/subscriptions/change-subscription';
import { refuse } from '../../http/result.ts';
import { webhookDeed } from '../../webhooks/deed.ts';
import { filterUnknown, limitReached, urlRefused } from '../../webhooks/refusals.ts';
import { type PublicCall, publicRoute } from '../declare-route.ts';
import type { WebhookRouteDeps } from './deps.ts';
import {
  CHANGE_BUDGET_MS,
  intentOf,
  NO_WEBHOOK,
  reachOf,
  shown,
  WEBHOOK_ID,
  WEBHOOK_ROUTE,
} from './webhook-route.ts';

function isPause(patch: SubscriptionPatch): boolean {
  return patch.active === false && Object.keys(patch).length === 1;
}

export const changeWebhook = publicRoute({
  ...WEBHOOK_ROUTE,
  method: 'PATCH',
  path: '/api/public/webhooks/:webhookId',
  operationId: 'updateWebhook',
  summary: 'Change a webhook subscription',
  description:
    'A JSON merge patch (RFC 7396): an absent field stays, `null` clears. `"active": false` pauses: messages wait. ' +
    'The pause of an admin stays.',
  budgetMs: CHANGE_BUDGET_MS,
  params: WEBHOOK_ID,
  body: subscriptionPatch,
  // Switching a flow off must not fail.
  isServedOverRate: isPause,
  success: { 200: 'The subscription after the change.' },
  response: subscriptionRecord,
  etag: subscriptionRecord,
  ifMatch: true,
  problems: ['not_found', 'target_url_taken', 'subscription_limit_reached'],
  intent: intentOf('webhook.changed'),
  async handler(
    { accountId, apiKey, params, body: patch, ifMatch }: PublicCall<undefined, SubscriptionPatch>,
    { subscriptionDeps }: WebhookRouteDeps,
  ) {
    const subscriptionId = params.webhookId as string;
    const wanted = { accountId, subscriptionId, keyId: reachOf(apiKey), patch, ifMatch };
    const changed = await changeSubscription(subscriptionDeps, wanted);
    switch (changed.status) {
      case 'changed': {
        const detail = Object.keys(patch).join(', ');
        return {
          ...shown(changed.subscription),
          deed: webhookDeed('webhook.changed', changed.subscription, detail),
        };
      }
      case 'unchanged':
        return shown(changed.subscription);
      case 'not_found':
        return NO_WEBHOOK;
      case 'changed_meanwhile':
        return refuse(
          'changed_meanwhile',
          'The subscription was changed since you read it. Read it again, then repeat the change.',
        );
      case 'url_taken':
        return refuse(
          'target_url_taken',
          'Another webhook subscription of the account has this URL. Change or delete that one.',
        );
      case 'url_refused':
        return urlRefused(changed.detail);
      case 'filter_unknown':
        return filterUnknown(changed.field);
      case 'limit_reached':
        return limitReached(changed.limit);
    }
  },
});
