import { subscriptionRecord, subscriptionWithSecret } from '@sluice/contract/subscription';
import { type StreamInput, streamInput } from '@sluice/contract/webhook-stream';
import { createStream } from '@sluice/outbound/subscriptions/create-stream';
import { type PublicCall, publicRoute } from '../declare-route.ts';
import { createdAnswer } from './create-webhook.ts';
import type { WebhookRouteDeps } from './deps.ts';
import { CHANGE_BUDGET_MS, readWebhookAgain, WEBHOOK_ROUTE } from './webhook-route.ts';

type Call = PublicCall<undefined, StreamInput, 'sub'>;

export const createWebhookStream = publicRoute({
  ...WEBHOOK_ROUTE,
  method: 'POST',
  path: '/api/public/webhooks/streams',
  operationId: 'createWebhookStream',
  summary: 'Subscribe a program without a URL to changes',
  description:
    'For `sluice listen` and other programs on a machine that the internet cannot reach. Read the messages with ' +
    '`GET /api/public/webhooks/{webhookId}/stream`. The subscription is ephemeral: it ends 75 seconds after its last connection. ' +
    'All streams of a key have the same secret.',
  budgetMs: CHANGE_BUDGET_MS,
  body: streamInput,
  creates: ['sub'],
  success: { 201: 'The messages can be read.' },
  response: subscriptionWithSecret,
  etag: subscriptionRecord,
  recordsAt: '/api/public/webhooks',
  // The repetition of a create reads the subscription again. It may have ended.
  problems: ['not_found'],
  intent: async ({ ids }: Call) => ({
    action: 'webhook.created',
    target: { id: ids.sub, name: 'sluice listen' },
  }),
  async handler({ accountId, apiKey, body: input, ids }: Call, { subscriptionDeps }: WebhookRouteDeps) {
    return createdAnswer(
      await createStream(subscriptionDeps, { accountId, key: apiKey, input, newId: ids.sub }),
      { newId: ids.sub },
    );
  },
  readAgain: readWebhookAgain,
});
