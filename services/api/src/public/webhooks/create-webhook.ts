import {
  subscriptionInput,
  subscriptionRecord,
  subscriptionWithSecret,
} from '@sluice/contract/subscription/subscription';
import { type StreamInput, streamInput } from '@sluice/contract/subscription/webhook-stream';
import { isSuccess, webhookDeed } from '@sluice/outbound/subscriptions/audited-change';
import { createIntent } from '@sluice/outbound/subscriptions/create-intent';
import { createStream } from '@sluice/outbound/subscriptions/create-stream';
import {
  createSubscription,
  type SubscriptionCreated,
} from '@sluice/outbound/subscriptions/create-subscription';
import type * as z from 'zod';
import type { RouteDeps } from '../../parts.ts';
import { refusalOf } from '../../webhooks/refusals.ts';
import { type PublicCall, type PublicResult, publicRoute, type RefusedCall } from '../layer/declare-route.ts';
import { BY_KEY, CHANGE_BUDGET_MS, readWebhookAgain, shown, WEBHOOK_ROUTE } from './webhook-route.ts';

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
  intent: ({ accountId, body: input, ids }: Call, { subscriptionDeps }: RouteDeps) =>
    createIntent(subscriptionDeps, { accountId, input, newId: ids.sub }),
  async handler(call: Call, { subscriptionDeps, refusedSubscriptions }: RouteDeps) {
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
function createdAnswer(
  created: SubscriptionCreated,
  { newId, urlName }: CreateAsked,
): PublicResult<ReturnType<typeof shown>['body'] & { secret?: string }> {
  if (!isSuccess(created)) return refusalOf(created, BY_KEY, urlName);
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

const URL_NAMES = ['target_url', 'url', 'targetUrl', 'hookUrl'] as const;
const URL_SHOWN = 2000;
const LIFTED_BY_RETRY: readonly string[] = [
  ...['unavailable', 'idempotency_in_progress', 'key_revoked', 'changed_meanwhile'],
];

/**
 * Records a rejected create for the dashboard: the user of a platform does not see the response. Rejections that a retry may
 * lift are left out.
 */
async function noteRefusedCreate(
  { apiKey, refusal, sent, client }: RefusedCall,
  { refusedSubscriptions, subscriptionDeps }: RouteDeps,
): Promise<void> {
  const { code, detail, errors = [] } = refusal;
  if (LIFTED_BY_RETRY.includes(code)) return;
  const sentences =
    errors.length === 0 ? [detail] : errors.map((error) => `${error.pointer}: ${error.detail}`);
  const { account_id, key_id } = apiKey;
  await refusedSubscriptions.noteRefused(
    {
      ...{ account_id, key_id, code, target_url: urlIn(sent), client: client ?? null },
      detail: sentences.join(' ').slice(0, 1000),
    },
    subscriptionDeps.now(),
  );
}

function urlIn(sent: unknown): string | null {
  if (typeof sent !== 'object' || sent === null) return null;
  for (const name of URL_NAMES) {
    const value = (sent as Record<string, unknown>)[name];
    if (typeof value === 'string' && value !== '') return value.slice(0, URL_SHOWN).toWellFormed();
  }
  return null;
}

type StreamCall = PublicCall<undefined, StreamInput, 'sub'>;

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
  intent: async ({ ids }: StreamCall) => ({
    action: 'webhook.created',
    target: { id: ids.sub, name: 'sluice listen' },
  }),
  async handler({ accountId, apiKey, body: input, ids }: StreamCall, { subscriptionDeps }: RouteDeps) {
    return createdAnswer(
      await createStream(subscriptionDeps, { accountId, key: apiKey, input, newId: ids.sub }),
      { newId: ids.sub },
    );
  },
  readAgain: readWebhookAgain,
});
