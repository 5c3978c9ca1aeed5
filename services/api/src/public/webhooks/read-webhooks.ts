import { pageParameters } from '@sluice/contract/api/public-list';
import { subscriptionRecord } from '@sluice/contract/subscription/subscription';
import { describeSubscription } from '@sluice/outbound/subscriptions/describe-subscription';
import { findReached, findReachedByUrl } from '@sluice/outbound/subscriptions/find-reached';
import * as z from 'zod';
import type { RouteDeps } from '../../parts.ts';
import { type PublicCall, publicRoute } from '../layer/declare-route.ts';
import type { Place } from '../layer/list-route.ts';
import { listRoute } from '../layer/list-route.ts';
import { BY_KEY, reachOf, shown, WEBHOOK_ID, WEBHOOK_ROUTE } from './webhook-route.ts';

const query = z.strictObject({
  ...pageParameters,
  url: z.string().max(4000).optional().meta({ description: 'Only the subscription of this URL.' }),
});

export const listWebhooks = listRoute({
  ...WEBHOOK_ROUTE,
  path: '/api/public/webhooks',
  operationId: 'listWebhooks',
  summary: 'List webhook subscriptions',
  description: 'Returns the webhook subscriptions of this key, newest first. Paused ones are included.',
  query,
  item: subscriptionRecord,
  problems: [],
  async read(
    { accountId, apiKey, query: { url, limit } }: PublicCall<z.output<typeof query>>,
    after: Place | undefined,
    { subscriptionDeps }: RouteDeps,
  ) {
    const keyIds = reachOf(apiKey);
    if (url !== undefined) {
      const found = await findReachedByUrl(subscriptionDeps, { accountId, keyId: keyIds, url });
      return { items: found === undefined ? [] : [listed(found)], more: false };
    }
    const from = after && { created_at: after[0] as number, subscription_id: after[1] as string };
    const page = await subscriptionDeps.subscriptions.pageOfKeys(keyIds, subscriptionDeps.now(), {
      after: from,
      limit,
    });
    return { items: page.items.map(listed), more: page.more };
  },
});

function listed(subscription: Parameters<typeof describeSubscription>[0]) {
  const { created_at, subscription_id } = subscription;
  return { record: describeSubscription(subscription), place: [created_at, subscription_id] };
}

export const readWebhook = publicRoute({
  ...WEBHOOK_ROUTE,
  method: 'GET',
  path: '/api/public/webhooks/:webhookId',
  operationId: 'getWebhook',
  summary: 'Read a webhook subscription',
  description: 'Returns 200 for a paused one too, with the reason.',
  params: WEBHOOK_ID,
  success: { 200: 'The subscription.' },
  response: subscriptionRecord,
  etag: subscriptionRecord,
  problems: ['not_found'],
  async handler({ accountId, apiKey, params }: PublicCall, { subscriptionDeps }: RouteDeps) {
    const asked = { accountId, keyId: reachOf(apiKey), subscriptionId: params.webhookId as string };
    const found = await findReached(subscriptionDeps, asked);
    return found === undefined ? BY_KEY.notFound : shown(found);
  },
});
