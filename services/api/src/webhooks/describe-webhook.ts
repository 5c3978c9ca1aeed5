import type { recoverResult, testResult } from '@sluice/contract/subscription/webhook-again';
import { formatInstant, instantOrNull } from '@sluice/contract/time/instant';
import type { RefusedWebhook, WebhookItem, WebhookWithSecret } from '@sluice/dashboard-api/webhooks';
import { describeAttempt } from '@sluice/outbound/subscriptions/describe-message';
import { describeSubscription } from '@sluice/outbound/subscriptions/describe-subscription';
import { readHealth, type SubscriptionHealth } from '@sluice/outbound/subscriptions/subscription-health';
import type { MessageAttempt } from '@sluice/store/outbound/webhook-message';
import type { RefusedSubscription } from '@sluice/store/subscriptions/refused-subscriptions';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import type * as z from 'zod';
import { done, type Result } from '../http/result.ts';
import type { RouteDeps } from '../parts.ts';

/** Subscriptions of an account as the dashboard shows them, with their keys and their health. */
export async function describeWebhooks(
  { subscriptionDeps, apiKeys }: RouteDeps,
  accountId: string,
  subscriptions: readonly Subscription[],
): Promise<WebhookItem[]> {
  const ids = subscriptions.map(({ subscription_id }) => subscription_id);
  const [health, keys] = await Promise.all([
    readHealth(subscriptionDeps, accountId, ids),
    keyNames({ apiKeys }, subscriptions),
  ]);
  return subscriptions.map((one) => {
    const known = health.get(one.subscription_id) as SubscriptionHealth;
    const { next_attempt_at, retrying_since, last_attempt_at, ...rest } = known;
    return {
      ...describeSubscription(one),
      key: one.key_id === null ? null : { id: one.key_id, name: keys.get(one.key_id) ?? one.key_id },
      health: {
        ...rest,
        next_attempt_at: instantOrNull(next_attempt_at),
        retrying_since: instantOrNull(retrying_since),
        last_attempt_at: instantOrNull(last_attempt_at),
      },
    };
  });
}

/** One subscription as the dashboard shows it. */
export async function describeWebhook(deps: RouteDeps, subscription: Subscription): Promise<WebhookItem> {
  const [item] = await describeWebhooks(deps, subscription.account_id, [subscription]);
  return item as WebhookItem;
}

/** A subscription with its secret, which only the answer to a creation or a rotation holds. */
export async function describeWithSecret(
  deps: RouteDeps,
  subscription: Subscription,
  secret: string,
): Promise<Result<WebhookWithSecret>> {
  return done({ webhook: await describeWebhook(deps, subscription), secret });
}

/** Rejected creates as the dashboard shows them. */
export async function describeRefused(
  deps: Pick<RouteDeps, 'apiKeys'>,
  refused: readonly RefusedSubscription[],
): Promise<RefusedWebhook[]> {
  const keys = await keyNames(deps, refused);
  return refused.map(({ refused_id, key_id, target_url, code, detail, client, count, last_at }) => ({
    ...{ refused_id, target_url, code, detail, client, count },
    key: { id: key_id, name: keys.get(key_id) ?? key_id },
    last_at: formatInstant(last_at),
  }));
}

async function keyNames(
  { apiKeys }: Pick<RouteDeps, 'apiKeys'>,
  of: readonly { readonly key_id: string | null }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(of.flatMap(({ key_id }) => key_id ?? []))];
  const found = await Promise.all(ids.map((id) => apiKeys.findApiKey(id)));
  return new Map(found.flatMap((key) => (key === undefined ? [] : [[key.key_id, key.name] as const])));
}

interface Recovered {
  readonly messages: number;
  readonly more: boolean;
  readonly since: number;
  readonly until: number;
}

/** A recovery as public API and dashboard return it. */
export function describeRecovery({
  messages,
  more,
  since,
  until,
}: Recovered): z.output<typeof recoverResult> {
  return {
    messages,
    more,
    recovered_since: formatInstant(since),
    recovered_until: formatInstant(until),
  };
}

const WAITING =
  'No dispatcher has sent it yet. It is sent within 10 minutes, and is listed in the deliveries then. Are dispatchers running?';

/** A test as public API and dashboard return it. Without an attempt it waits for a dispatcher. */
export function describeTest({
  message_id,
  attempt,
}: {
  readonly message_id: string;
  readonly attempt?: MessageAttempt | undefined;
}): z.output<typeof testResult> {
  if (attempt === undefined) return { message_id, status: 'waiting', detail: WAITING, attempt: null };
  const status = attempt.code === 'delivered' ? 'delivered' : 'failed';
  return { message_id, status, detail: attempt.sentence, attempt: describeAttempt(attempt) };
}
