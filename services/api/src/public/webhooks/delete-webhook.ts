import { isReached } from '@sluice/outbound/subscriptions/change-subscription';
import {
  deleteByKey,
  deleteByUrl,
  type SubscriptionDeleted,
} from '@sluice/outbound/subscriptions/delete-subscription';
import { canonicalUrl, urlKey } from '@sluice/outbound/subscriptions/url-key';
import * as z from 'zod';
import { webhookDeed } from '../../webhooks/deed.ts';
import { type Done, type PublicCall, publicRoute } from '../declare-route.ts';
import type { WebhookRouteDeps } from './deps.ts';
import { CHANGE_BUDGET_MS, intentOf, reachOf, WEBHOOK_ID, WEBHOOK_ROUTE } from './webhook-route.ts';

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
  async handler({ accountId, apiKey, params }: PublicCall, { subscriptionDeps }: WebhookRouteDeps) {
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
  async intent({ accountId, apiKey, query: { url } }: UrlCall, { subscriptionDeps }: WebhookRouteDeps) {
    const found = await subscriptionDeps.subscriptions.findByUrl(accountId, urlKey(canonicalUrl(url)));
    if (found === undefined || !isReached(found, reachOf(apiKey), subscriptionDeps.now())) return undefined;
    return webhookDeed('webhook.deleted', found);
  },
  async handler({ accountId, apiKey, query: { url } }: UrlCall, { subscriptionDeps }: WebhookRouteDeps) {
    return gone(await deleteByUrl(subscriptionDeps, { accountId, keyId: reachOf(apiKey), url }));
  },
});

function gone(deleted: SubscriptionDeleted): Done<null> {
  const deed =
    deleted.status === 'deleted' ? { deed: webhookDeed('webhook.deleted', deleted.subscription) } : {};
  return { outcome: 'done', body: null, ...deed };
}
