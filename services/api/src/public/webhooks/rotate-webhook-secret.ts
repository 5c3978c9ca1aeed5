import { secretRotation, subscriptionRecord, subscriptionWithSecret } from '@sluice/contract/subscription';
import { rotateSubscriptionSecret } from '@sluice/outbound/subscriptions/rotate-subscription-secret';
import type * as z from 'zod';
import { webhookDeed } from '../../webhooks/deed.ts';
import { type PublicCall, publicRoute } from '../declare-route.ts';
import type { WebhookRouteDeps } from './deps.ts';
import {
  CHANGE_BUDGET_MS,
  intentOf,
  NO_WEBHOOK,
  reachOf,
  readWebhookAgain,
  shown,
  WEBHOOK_ID,
  WEBHOOK_ROUTE,
} from './webhook-route.ts';

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
  async handler(
    { accountId, apiKey, params, body: { overlap } }: Call,
    { subscriptionDeps }: WebhookRouteDeps,
  ) {
    const subscriptionId = params.webhookId as string;
    const wanted = { accountId, subscriptionId, keyId: reachOf(apiKey), overlap };
    const rotated = await rotateSubscriptionSecret(subscriptionDeps, wanted);
    if (rotated.status === 'not_found') return NO_WEBHOOK;
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
