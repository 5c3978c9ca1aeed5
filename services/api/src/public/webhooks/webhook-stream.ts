import { isStreamUrl } from '@sluice/contract/stream-url';
import { streamedMessage } from '@sluice/contract/webhook-stream';
import { readPlace } from '@sluice/outbound/queue/streams';
import { findReached } from '@sluice/outbound/subscriptions/find-reached';
import { refuse } from '../../http/result.ts';
import { type PublicCall, publicRoute } from '../declare-route.ts';
import { openStream, type StreamDeps } from './stream-messages.ts';
import { askedFor, NO_WEBHOOK, WEBHOOK_ID, WEBHOOK_ROUTE } from './webhook-route.ts';

const NO_STREAM = refuse(
  'conflict',
  'The messages of this subscription go to its URL. Create a stream: POST /api/public/webhooks/streams.',
);

export const streamWebhook = publicRoute({
  ...WEBHOOK_ROUTE,
  method: 'GET',
  path: '/api/public/webhooks/:webhookId/stream',
  operationId: 'streamWebhookMessages',
  summary: 'Read the messages of a stream as they come',
  description:
    'Server-sent events. Each event `message` has the headers and the exact body of one request: forward both unchanged. An ' +
    'event `missed` has the `count` of messages that were dropped, because more than 1,000 or 4 MiB were unread. ' +
    'Connect again with `Last-Event-ID` after an interruption. The stream ends when the key is revoked or the subscription is deleted.',
  params: WEBHOOK_ID,
  success: { 200: 'The stream. A comment comes every 15 seconds.' },
  response: streamedMessage,
  streams: true,
  problems: ['not_found', 'conflict', 'rate_limited'],
  async handler(call: PublicCall, deps: StreamDeps) {
    const found = await findReached(deps.subscriptionDeps, askedFor(call));
    if (found === undefined) return NO_WEBHOOK;
    if (!isStreamUrl(found.target_url)) return NO_STREAM;
    const { accountId, apiKey } = call;
    const reader = { accountId, apiKey, subscriptionId: found.subscription_id };
    return {
      outcome: 'stream',
      open: (request, response) =>
        openStream(deps, {
          ...reader,
          request,
          response,
          after: readPlace(request.get('last-event-id') ?? ''),
        }),
    };
  },
});
