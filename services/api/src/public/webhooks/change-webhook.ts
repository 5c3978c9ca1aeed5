import {
  type SubscriptionPatch,
  secretRotation,
  subscriptionPatch,
  subscriptionRecord,
  subscriptionWithSecret,
} from '@sluice/contract/subscription/subscription';
import { isSuccess, webhookDeed } from '@sluice/outbound/subscriptions/audited-change';
import { changeSubscription } from '@sluice/outbound/subscriptions/change-subscription';
import {
  deleteByKey,
  deleteByUrl,
  type SubscriptionDeleted,
} from '@sluice/outbound/subscriptions/delete-subscription';
import { findReachedByUrl } from '@sluice/outbound/subscriptions/find-reached';
import { rotateSubscriptionSecret } from '@sluice/outbound/subscriptions/rotate-subscription-secret';
import * as z from 'zod';
import type { RouteDeps } from '../../parts.ts';
import { refusalOf } from '../../webhooks/refusals.ts';
import { type Done, type PublicCall, publicRoute } from '../layer/declare-route.ts';
import {
  BY_KEY,
  CHANGE_BUDGET_MS,
  intentOf,
  reachOf,
  readWebhookAgain,
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
    { subscriptionDeps }: RouteDeps,
  ) {
    const subscriptionId = params.webhookId as string;
    const wanted = { accountId, subscriptionId, keyId: reachOf(apiKey), patch, ifMatch };
    const changed = await changeSubscription(subscriptionDeps, wanted);
    if (!isSuccess(changed)) return refusalOf(changed, BY_KEY);
    const { status, subscription } = changed;
    if (status === 'unchanged') return shown(subscription);
    const deed = webhookDeed('webhook.changed', subscription, Object.keys(patch).join(', '));
    return { ...shown(subscription), deed };
  },
});

const GONE =
  'Returns 204 also where it is gone or never was, so that a flow can always be switched off. Nothing more is sent once it ' +
  'responds. For 10 minutes, a create of the same key and URL revives it.';

/** Switching a flow off must not fail. */
const UNRATED = { rated: false } as const;

export const deleteWebhook = publicRoute({
  ...WEBHOOK_ROUTE,
  ...UNRATED,
  method: 'DELETE',
  path: '/api/public/webhooks/:webhookId',
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook subscription',
  description: GONE,
  budgetMs: CHANGE_BUDGET_MS,
  params: WEBHOOK_ID,
  success: { 204: 'The subscription does not exist any more.' },
  response: z.null(),
  problems: [],
  intent: intentOf('webhook.deleted'),
  async handler({ accountId, apiKey, params }: PublicCall, { subscriptionDeps }: RouteDeps) {
    const subscriptionId = params.webhookId as string;
    return gone(await deleteByKey(subscriptionDeps, { accountId, keyId: reachOf(apiKey), subscriptionId }));
  },
});

/** Platforms add parameters, and a delete must not fail for them. */
const query = z.object({
  url: z
    .string({ error: 'Required. The URL of the subscription to delete.' })
    .max(4000)
    .meta({ description: 'The URL of the subscription.' }),
});

type UrlCall = PublicCall<z.output<typeof query>>;

export const deleteWebhookByUrl = publicRoute({
  ...WEBHOOK_ROUTE,
  ...UNRATED,
  method: 'DELETE',
  path: '/api/public/webhooks',
  operationId: 'deleteWebhookByUrl',
  summary: 'Delete the webhook subscription of a URL',
  description: `For platforms that kept only the URL. ${GONE}`,
  budgetMs: CHANGE_BUDGET_MS,
  query,
  success: { 204: 'The URL is not subscribed any more.' },
  response: z.null(),
  problems: [],
  async intent({ accountId, apiKey, query: { url } }: UrlCall, { subscriptionDeps }: RouteDeps) {
    const found = await findReachedByUrl(subscriptionDeps, { accountId, keyId: reachOf(apiKey), url });
    return found && webhookDeed('webhook.deleted', found);
  },
  async handler({ accountId, apiKey, query: { url } }: UrlCall, { subscriptionDeps }: RouteDeps) {
    return gone(await deleteByUrl(subscriptionDeps, { accountId, keyId: reachOf(apiKey), url }));
  },
});

function gone(deleted: SubscriptionDeleted): Done<null> {
  const deed =
    deleted.status === 'deleted' ? { deed: webhookDeed('webhook.deleted', deleted.subscription) } : {};
  return { outcome: 'done', body: null, ...deed };
}

type Call = PublicCall<undefined, z.output<typeof secretRotation>>;

export const rotateWebhookSecret = publicRoute({
  ...WEBHOOK_ROUTE,
  method: 'POST',
  path: '/api/public/webhooks/:webhookId/rotate-secret',
  operationId: 'rotateWebhookSecret',
  summary: 'Rotate the secret of a webhook subscription',
  description:
    'Returns a new secret. During the overlap, messages have a signature by each secret. At most 3 secrets sign.',
  budgetMs: CHANGE_BUDGET_MS,
  params: WEBHOOK_ID,
  body: secretRotation,
  success: { 200: 'The subscription with its new secret.' },
  response: subscriptionWithSecret,
  etag: subscriptionRecord,
  problems: ['not_found'],
  intent: intentOf('webhook.secret_rotated'),
  async handler({ accountId, apiKey, params, body: { overlap } }: Call, { subscriptionDeps }: RouteDeps) {
    const subscriptionId = params.webhookId as string;
    const wanted = { accountId, subscriptionId, keyId: reachOf(apiKey), overlap };
    const rotated = await rotateSubscriptionSecret(subscriptionDeps, wanted);
    if (rotated.status === 'not_found') return BY_KEY.notFound;
    const { subscription, secret } = rotated;
    const done = shown(subscription);
    return {
      ...done,
      body: { ...done.body, secret },
      deed: webhookDeed('webhook.secret_rotated', subscription, `overlap ${overlap ?? '24h'}`),
    };
  },
  readAgain: readWebhookAgain,
});
