import { formatInstant } from '@sluice/contract/instant';
import { pageParameters } from '@sluice/contract/public-list';
import { MESSAGE_STATES, webhookDelivery } from '@sluice/contract/webhook-delivery';
import type { Subscription } from '@sluice/store/subscription-document';
import type { WebhookMessage } from '@sluice/store/webhook-messages';
import { isReached } from '@sluice/subscriptions/change-subscription';
import * as z from 'zod';
import { refuse } from '../../http/result.ts';
import type { Place } from '../cursors.ts';
import { type FirstAnswer, type PublicCall, publicRoute } from '../declare-route.ts';
import { listRoute } from '../list-route.ts';
import type { WebhookRouteDeps } from './deps.ts';
import { NO_WEBHOOK, WEBHOOK_ID, WEBHOOK_ROUTE, webhookDeed } from './webhook-route.ts';

const query = z.strictObject({
  ...pageParameters,
  status: z.enum(MESSAGE_STATES).optional().meta({ description: 'Only messages of this status.' }),
});

/** The subscription in the path, if the key reaches it. */
async function reached(
  { accountId, apiKey, params }: Pick<PublicCall, 'accountId' | 'apiKey' | 'params'>,
  { subscriptionDeps: { subscriptions, now } }: WebhookRouteDeps,
): Promise<Subscription | undefined> {
  const found = await subscriptions.findSubscription(accountId, params.webhookId as string);
  return found !== undefined && isReached(found, apiKey.key_id, now()) ? found : undefined;
}

export const listWebhookDeliveries = listRoute({
  ...WEBHOOK_ROUTE,
  path: '/api/public/webhooks/:webhookId/deliveries',
  operationId: 'listWebhookDeliveries',
  summary: 'List the messages of a webhook subscription with their attempts',
  description:
    'Newest first, for 30 days. A message is listed from its first attempt on. The list has no contents of records.',
  params: WEBHOOK_ID,
  query,
  item: webhookDelivery,
  problems: ['not_found'],
  async read(call: PublicCall<z.output<typeof query>>, after: Place | undefined, deps: WebhookRouteDeps) {
    const subscription = await reached(call, deps);
    if (subscription === undefined) return NO_WEBHOOK;
    const { limit, status } = call.query;
    const from = after && { created_at: after[0] as number, message_id: after[1] as string };
    const { subscription_id } = subscription;
    const found = await deps.webhookMessages.pageMessages({
      ...{ subscription_id, status, limit: limit + 1 },
      ...(from !== undefined && { after: from }),
    });
    const items = found.slice(0, limit).map((message) => ({
      record: describeMessage(message),
      place: [message.created_at, message.message_id],
    }));
    return { items, more: found.length > limit };
  },
});

function describeMessage(message: WebhookMessage): z.output<typeof webhookDelivery> {
  return {
    id: message.message_id,
    type: message.kind,
    status: message.status,
    attempts: message.attempts.map(({ at, sentence, id: _, ...attempt }) => ({
      at: formatInstant(at),
      ...attempt,
      detail: sentence,
    })),
    next_attempt_at: message.next_attempt_at === null ? null : formatInstant(message.next_attempt_at),
    created_at: formatInstant(message.created_at),
  };
}

/** They send to third parties, so that a mistake in a loop harms no receiver. */
const AGAIN_RATE = { count: 10, seconds: 60 };

const NO_MESSAGE = refuse(
  'not_found',
  'This subscription has no such message. Messages are kept for 30 days from their first attempt on.',
);

async function limited({ apiKey }: Pick<PublicCall, 'apiKey'>, { take }: WebhookRouteDeps) {
  const { allowed, retryAfterSeconds } = await take('webhook-again', apiKey.key_id, AGAIN_RATE);
  if (allowed) return undefined;
  const detail = `This key has asked for too many redeliveries. Try again in ${retryAfterSeconds} seconds.`;
  return refuse('rate_limited', detail, { retryAfterSeconds });
}

export const redeliverWebhookMessage = publicRoute({
  ...WEBHOOK_ROUTE,
  method: 'POST',
  path: '/api/public/webhooks/:webhookId/deliveries/:messageId/redeliver',
  operationId: 'redeliverWebhookMessage',
  summary: 'Send a message again',
  description:
    'Sends it once more with the same `webhook-id` and the header `webhook-redelivery: 1`, before what was never attempted. At most 10 a minute for each key.',
  params: { ...WEBHOOK_ID, messageId: 'Id of a message of this subscription: `msg_…`.' },
  success: { 200: 'The message is in the mailbox again. This is its state until then.' },
  response: webhookDelivery,
  problems: ['not_found', 'rate_limited'],
  async handler(call: PublicCall, deps: WebhookRouteDeps) {
    const subscription = await reached(call, deps);
    if (subscription === undefined) return NO_WEBHOOK;
    const { account_id, subscription_id } = subscription;
    const message = await deps.webhookMessages.findMessage(subscription_id, call.params.messageId as string);
    if (message === undefined) return NO_MESSAGE;
    const refused = await limited(call, deps);
    if (refused !== undefined) return refused;
    const { change_id: changeId, message_id: messageId, kind, record_id: recordId } = message;
    await deps.telling.mailboxes.pushAgain(account_id, subscription_id, [
      { changeId, messageId, kind, recordId },
    ]);
    return {
      outcome: 'done',
      body: describeMessage(message),
      target: messageId,
      deed: webhookDeed('webhook.redelivered', subscription, messageId),
    };
  },
  async readAgain({ status, target }: FirstAnswer, call: PublicCall, deps: WebhookRouteDeps) {
    const found = await deps.webhookMessages.findMessage(call.params.webhookId as string, target);
    return found === undefined
      ? NO_MESSAGE
      : { outcome: 'done', body: describeMessage(found), status, target };
  },
});
