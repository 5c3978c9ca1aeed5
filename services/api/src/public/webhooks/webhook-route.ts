import type { Deed } from '@sluice/accounts/audit/audit-entry';
import type { AuditAction } from '@sluice/contract/audit-actions';
import type { subscriptionWithSecret } from '@sluice/contract/subscription';
import { describeSubscription } from '@sluice/outbound/subscriptions/describe-subscription';
import { findReached } from '@sluice/outbound/subscriptions/find-reached';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import type * as z from 'zod';
import { refuse } from '../../http/result.ts';
import { webhookDeed } from '../../webhooks/deed.ts';
import type { Done, FirstAnswer, PublicCall, PublicResult } from '../declare-route.ts';
import type { WebhookRouteDeps } from './deps.ts';

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

export const NO_WEBHOOK = refuse(
  'not_found',
  'This API key has no such webhook subscription. A key reaches only those that it made, and a receiver that responds with 410 ends its subscription.',
);

/** Announces a change of the subscription in the path. */
export const intentOf =
  (action: AuditAction) =>
  async (
    call: Pick<PublicCall, 'accountId' | 'apiKey' | 'params'>,
    { subscriptionDeps }: WebhookRouteDeps,
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
  { subscriptionDeps }: WebhookRouteDeps,
): Promise<PublicResult<z.output<typeof subscriptionWithSecret>>> {
  const asked = { accountId, subscriptionId, keyId: reachOf(apiKey) };
  const found = await findReached(subscriptionDeps, asked);
  return found === undefined ? NO_WEBHOOK : { ...shown(found), status };
}
