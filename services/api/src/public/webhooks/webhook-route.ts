import type { Deed } from '@sluice/accounts/audit/audited';
import type { AuditAction } from '@sluice/contract/account/audit-actions';
import type { subscriptionWithSecret } from '@sluice/contract/subscription/subscription';
import { webhookDeed } from '@sluice/outbound/subscriptions/audited-change';
import { describeSubscription } from '@sluice/outbound/subscriptions/describe-subscription';
import { findReached } from '@sluice/outbound/subscriptions/find-reached';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import type * as z from 'zod';
import { type Refusal, refuse } from '../../http/result.ts';
import type { RouteDeps } from '../../parts.ts';
import type { Voice } from '../../webhooks/refusals.ts';
import type { Done, FirstAnswer, PublicCall, PublicResult } from '../layer/declare-route.ts';

/** All routes about webhook subscriptions share this. */
export const WEBHOOK_ROUTE = {
  tag: 'Webhook subscriptions',
  scopes: ['webhooks'],
} as const;

export const WEBHOOK_ID = { webhookId: 'Id of a webhook subscription of this key: `sub_…`.' } as const;

/**
 * A change answers once no attempt by the previous state can begin, and the first one that asks for events once all workers
 * know it. Looking up the host of a URL takes time too. Milliseconds.
 */
export const CHANGE_BUDGET_MS = 10_000;

/** The keys by which a key reaches subscriptions: after a rotation also the one that replaces it, until the overlap ends. */
export const reachOf = ({ key_id, replaced_by }: PublicCall['apiKey']): readonly string[] =>
  replaced_by === undefined ? [key_id] : [key_id, replaced_by];

/** The subscription in the path, asked for by a key. */
export const askedFor = ({
  accountId,
  apiKey,
  params,
}: Pick<PublicCall, 'accountId' | 'apiKey' | 'params'>) => ({
  ...{ accountId, keyId: reachOf(apiKey), subscriptionId: params.webhookId as string },
});

/** The rejections for a key, which reaches only the subscriptions that it made. */
export const BY_KEY: Voice = {
  notFound: refuse(
    'not_found',
    'This API key has no such webhook subscription. A key reaches only those that it made, and a receiver that responds with 410 ends its subscription.',
  ),
  noMessage: refuse(
    'not_found',
    'This subscription has no such message, or has not attempted it yet. Messages are kept for 30 days from their first attempt on.',
  ),
  urlTaken: refuse(
    'target_url_taken',
    'Another webhook subscription of the account has this URL. Change or delete that one.',
  ),
  beforeTakeover: (sentence) =>
    refuse('not_found', `${sentence} Older messages are not sent again for this key.`),
};

/** Announces a change of the subscription in the path. */
export const intentOf =
  (action: AuditAction) =>
  async (
    call: Pick<PublicCall, 'accountId' | 'apiKey' | 'params'>,
    { subscriptionDeps }: RouteDeps,
  ): Promise<Deed | undefined> => {
    const found = await findReached(subscriptionDeps, askedFor(call));
    return found && webhookDeed(action, found);
  };

/** A subscription as a response. */
export function shown(
  subscription: Subscription,
): Done<ReturnType<typeof describeSubscription>> & { readonly target: string } {
  return {
    outcome: 'done',
    body: describeSubscription(subscription),
    revision: subscription.version,
    target: subscription.subscription_id,
  };
}

/**
 * Reads the subscription of an earlier answer, for a replay, if the key still reaches it. A secret is shown once for each
 * Idempotency-Key.
 */
export async function readWebhookAgain(
  { status, target: subscriptionId }: FirstAnswer,
  { accountId, apiKey }: Pick<PublicCall, 'accountId' | 'apiKey'>,
  { subscriptionDeps }: RouteDeps,
): Promise<PublicResult<z.output<typeof subscriptionWithSecret>>> {
  const asked = { accountId, subscriptionId, keyId: reachOf(apiKey) };
  const found = await findReached(subscriptionDeps, asked);
  return found === undefined ? BY_KEY.notFound : { ...shown(found), status };
}

/** Tests, redeliveries and recoveries send to third parties. A mistake in a loop must harm no receiver. */
const AGAIN_RATE = { count: 10, seconds: 60 };

/** A sentence for the descriptions of these routes. */
export const AGAIN_SENTENCE =
  'Tests, redeliveries and recoveries together: at most 10 a minute for each key.';

/** Counts one of them. The rejection, if the key has made too many. */
export async function limitAgain(
  { apiKey }: Pick<PublicCall, 'apiKey'>,
  { take }: Pick<RouteDeps, 'take'>,
): Promise<Refusal | undefined> {
  const { allowed, retryAfterSeconds } = await take('webhook-again', apiKey.key_id, AGAIN_RATE);
  if (allowed) return undefined;
  const detail = `This key has asked for too many tests, redeliveries and recoveries. Try again in ${retryAfterSeconds} seconds.`;
  return refuse('rate_limited', detail, { retryAfterSeconds });
}
