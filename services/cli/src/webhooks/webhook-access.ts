import { instantOrNull } from '@sluice/contract/time/instant';
import { describeSubscription } from '@sluice/outbound/subscriptions/describe-subscription';
import { readHealth, type SubscriptionHealth } from '@sluice/outbound/subscriptions/subscription-health';
import type { Store } from '@sluice/store/connect';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { type CommandFailure, failed } from '../exit-codes.ts';
import type { Row } from '../output.ts';

/** The account of a webhook subscription. Throws the error for an unknown one. */
export async function accountOfWebhook({ recordAccount }: Store, subscriptionId: string): Promise<string> {
  const accountId = await recordAccount.findAccountOf('webhook_subscriptions', subscriptionId);
  if (accountId === undefined) throw noSuchWebhook(subscriptionId);
  return accountId;
}

export function noSuchWebhook(subscriptionId: string): CommandFailure {
  return failed(`There is no webhook subscription ${subscriptionId}. See: sluice webhook list`);
}

/** The row of a subscription: as the API returns it, with its account and key. */
export function webhookRow(subscription: Subscription): Row {
  const { account_id, key_id } = subscription;
  const { expiration_date = null, ...record } = describeSubscription(subscription);
  return { ...record, ...(expiration_date !== null && { expiration_date }), account_id, key_id };
}

type HealthDeps = Parameters<typeof readHealth>[0];

/** Rows of subscriptions of one account, with how their receivers do. */
export async function rowsWithHealth(
  deps: HealthDeps,
  accountId: string,
  subscriptions: readonly Subscription[],
): Promise<Row[]> {
  const health = await readHealth(
    deps,
    accountId,
    subscriptions.map(({ subscription_id }) => subscription_id),
  );
  return subscriptions.map((one) => ({
    ...webhookRow(one),
    ...healthRow(health.get(one.subscription_id) as SubscriptionHealth),
  }));
}

function healthRow({ waiting, success_ratio, p95_ms, ...at }: SubscriptionHealth): Row {
  return {
    ...{ waiting, success_ratio, p95_ms },
    retrying_since: instantOrNull(at.retrying_since),
    next_attempt_at: instantOrNull(at.next_attempt_at),
    last_attempt_at: instantOrNull(at.last_attempt_at),
  };
}

/** A row for people: a receiver that fails is not shown as active, a time that is past not as a time, a ratio rounded. --json has the fields. */
export function forPeople(row: Row, now: number): Row {
  const isRetrying = row.status === 'active' && typeof row.retrying_since === 'string';
  return {
    ...row,
    ...(isRetrying && { status: 'retrying' }),
    ...(typeof row.success_ratio === 'number' && { success_ratio: Number(row.success_ratio.toFixed(3)) }),
    ...('next_attempt_at' in row && { next_attempt_at: dueWords(row.next_attempt_at, now) }),
  };
}

function dueWords(at: Row[string] | undefined, now: number): string | null {
  if (typeof at !== 'string') return null;
  return Date.parse(at) <= now ? 'due' : at;
}
