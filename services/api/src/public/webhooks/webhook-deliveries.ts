import { pageParameters, updatedSince } from '@sluice/contract/api/public-list';
import {
  MESSAGE_STATUSES,
  type RedeliveryTime,
  webhookDelivery,
  webhookRedelivery,
} from '@sluice/contract/subscription/webhook-delivery';
import { isSuccess, webhookDeed } from '@sluice/outbound/subscriptions/audited-change';
import { describeMessage, describeRedelivery } from '@sluice/outbound/subscriptions/describe-message';
import { findReached } from '@sluice/outbound/subscriptions/find-reached';
import {
  pageChangedMessages,
  pageMessages,
  withNextAttempts,
} from '@sluice/outbound/subscriptions/read-messages';
import { redeliverMessage, whenItLeaves } from '@sluice/outbound/subscriptions/redeliver-message';
import * as z from 'zod';
import { refuse } from '../../http/result.ts';
import type { RouteDeps } from '../../parts.ts';
import { refusalOf } from '../../webhooks/refusals.ts';
import { type FirstAnswer, type PublicCall, publicRoute } from '../layer/declare-route.ts';
import type { Place } from '../layer/list-route.ts';
import { listRoute } from '../layer/list-route.ts';
import {
  AGAIN_SENTENCE,
  askedFor,
  BY_KEY,
  intentOf,
  limitAgain,
  WEBHOOK_ID,
  WEBHOOK_ROUTE,
} from './webhook-route.ts';

const query = z.strictObject({
  ...pageParameters,
  status: z.enum(MESSAGE_STATUSES).optional().meta({ description: 'Only messages of this status.' }),
  sort: z.enum(['-created_at', 'updated_at', '-updated_at']).optional().meta({
    description:
      'Default: `-created_at`, newest first; with `updated_since`: `updated_at`. By change the list has only messages that were attempted or have ended.',
  }),
  updated_since: updatedSince,
});
type Query = z.output<typeof query>;

const ONE_ORDER =
  'A list since an instant is sorted by updated_at or -updated_at. Send one of them, or no sort.';
const NOT_SINCE = refuse('validation_failed', ONE_ORDER, {
  errors: [{ pointer: '/sort', detail: ONE_ORDER }],
});

export const listWebhookDeliveries = listRoute({
  ...WEBHOOK_ROUTE,
  path: '/api/public/webhooks/:webhookId/deliveries',
  operationId: 'listWebhookDeliveries',
  summary: 'List the messages of a webhook subscription with their attempts',
  description:
    'Newest first, for 30 days from the first attempt on. What waits without an attempt is `pending`. The list has no contents of records. To read what has changed, pass the `updated_until` of the last read as `updated_since`.',
  params: WEBHOOK_ID,
  query,
  item: webhookDelivery,
  byChange: true,
  problems: ['not_found'],
  async read(call: PublicCall<Query>, after: Place | undefined, { subscriptionDeps }: RouteDeps) {
    const { limit, status, updated_since } = call.query;
    const sort = call.query.sort ?? (updated_since === undefined ? '-created_at' : 'updated_at');
    if (sort !== '-created_at') return pageChanged(call, sort, after, subscriptionDeps);
    if (updated_since !== undefined) return NOT_SINCE;
    const cursor = after && { created_at: after[0] as number, message_id: after[1] as string };
    const found = await pageMessages(subscriptionDeps, { ...askedFor(call), status, cursor, limit });
    if (found.status === 'not_found') return BY_KEY.notFound;
    const items = found.messages.map((message) => ({
      record: describeMessage(message),
      place: [message.created_at, message.message_id],
    }));
    return { items, more: found.next !== null };
  },
});

async function pageChanged(
  call: PublicCall<Query>,
  sort: 'updated_at' | '-updated_at',
  after: Place | undefined,
  subscriptionDeps: RouteDeps['subscriptionDeps'],
) {
  const { limit, status, updated_since: updatedSince } = call.query;
  const found = await pageChangedMessages(subscriptionDeps, {
    ...{ ...askedFor(call), status, updatedSince, limit, descending: sort === '-updated_at' },
    after: after && { at: after[0] as number, id: after[1] as string },
  });
  if (found.status === 'not_found') return BY_KEY.notFound;
  const items = found.messages.map((message) => ({
    record: describeMessage(message),
    place: [message.updated_at ?? 0, message.message_id],
  }));
  return { items, more: found.more };
}

export const redeliverWebhookMessage = publicRoute({
  ...WEBHOOK_ROUTE,
  method: 'POST',
  path: '/api/public/webhooks/:webhookId/deliveries/:messageId/redeliver',
  operationId: 'redeliverWebhookMessage',
  summary: 'Send a message again',
  description:
    'Sends it once more at once, also to a receiver that fails, with the same `webhook-id` and the header `webhook-redelivery: 1`. ' +
    'It has one attempt. A test is not sent again: send a new one. A message that waits for its own retry is not sent a second time after that attempt succeeds. `leaves` and ' +
    '`note` say what a pause or an ordered subscription makes of it. ' +
    AGAIN_SENTENCE,
  params: { ...WEBHOOK_ID, messageId: 'Id of a message of this subscription: `msg_…`.' },
  success: { 200: 'The message waits to be sent again. This is its state until then.' },
  response: webhookRedelivery,
  problems: ['not_found', 'conflict', 'rate_limited'],
  limit: limitAgain,
  intent: intentOf('webhook.redelivered'),
  async handler(call: PublicCall, deps: RouteDeps) {
    const messageId = call.params.messageId as string;
    const redelivered = await redeliverMessage(deps.subscriptionDeps, { ...askedFor(call), messageId });
    if (!isSuccess(redelivered)) return refusalOf(redelivered, BY_KEY);
    const { message, leaves, subscription } = redelivered;
    return {
      outcome: 'done',
      body: describeRedelivery(message, leaves),
      target: targetOf(messageId, leaves),
      deed: webhookDeed('webhook.redelivered', subscription, messageId),
    };
  },
  async readAgain({ status, target }: FirstAnswer, call: PublicCall, { subscriptionDeps }: RouteDeps) {
    const subscription = await findReached(subscriptionDeps, askedFor(call));
    if (subscription === undefined) return BY_KEY.notFound;
    const { messageId, isInOrder } = readTarget(target);
    const found = await subscriptionDeps.webhookMessages.findMessage(subscription.subscription_id, messageId);
    if (found === undefined) return BY_KEY.noMessage;
    const [message = found] = await withNextAttempts(subscriptionDeps, subscription, [found]);
    const leaves = whenItLeaves(subscription, isInOrder);
    return { outcome: 'done', body: describeRedelivery(message, leaves), status, target };
  },
});

const IN_ORDER = ' in_order';

/** A replay cannot know whether the message waited for others, so the target says it. */
function targetOf(messageId: string, leaves: RedeliveryTime): string {
  return leaves === 'in_order' ? `${messageId}${IN_ORDER}` : messageId;
}

function readTarget(target: string) {
  const isInOrder = target.endsWith(IN_ORDER);
  return { messageId: isInOrder ? target.slice(0, -IN_ORDER.length) : target, isInOrder };
}
