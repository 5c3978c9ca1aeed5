import { mayActAs } from '@sluice/contract/account/roles';
import { webhookName } from '@sluice/contract/subscription/subscription-name';
import { DAY_MS, MINUTE_MS } from '@sluice/contract/time/durations';
import { formatInstant, instantOrNull } from '@sluice/contract/time/instant';
import type { Attention } from '@sluice/dashboard-api/overview';
import type { WaitingStatus } from '@sluice/outbound/log/waiting';
import type { SubscriptionDeps } from '@sluice/outbound/subscriptions/deps';
import { counts } from '@sluice/outbound/subscriptions/life';
import { retryingSince } from '@sluice/outbound/subscriptions/subscription-health';
import type {
  RefusedSubscription,
  RefusedSubscriptions,
} from '@sluice/store/subscriptions/refused-subscriptions';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import type { Subscriptions } from '@sluice/store/subscriptions/subscriptions';
import type { SignedIn } from '../http/signed-in.ts';

/** Rows stay for 30 days, although a client that was configured meanwhile is accepted. */
const REJECTED_RECENTLY_MS = DAY_MS;
/** A receiver that is restarted fails for some minutes. By then a message has had four attempts. */
const RETRYING_FOR_MS = 15 * MINUTE_MS;

export interface SubscriptionNeedsDeps {
  readonly subscriptions: Pick<Subscriptions, 'listSubscriptions'>;
  readonly refusedSubscriptions: Pick<RefusedSubscriptions, 'listRefused'>;
  readonly subscriptionDeps: { readonly outbox: Pick<SubscriptionDeps['outbox'], 'status'> };
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Problems of webhook subscriptions, for admins only, because only admins can act on them. */
export async function readSubscriptionNeeds(
  { subscriptions, refusedSubscriptions, subscriptionDeps, now }: SubscriptionNeedsDeps,
  { role, accountId }: Pick<SignedIn, 'role' | 'accountId'>,
): Promise<Attention[]> {
  if (!mayActAs(role, 'admin')) return [];
  const [own, refused] = await Promise.all([
    subscriptions.listSubscriptions(accountId),
    refusedSubscriptions.listRefused(accountId),
  ]);
  const ids = own.map(({ subscription_id }) => subscription_id);
  const statuses = ids.length === 0 ? [] : await subscriptionDeps.outbox.status(accountId, ids);
  return subscriptionNeeds({ subscriptions: own, statuses, refused }, now());
}

interface SubscriptionNeedsInput {
  readonly subscriptions: readonly Subscription[];
  readonly statuses: readonly WaitingStatus[];
  readonly refused: readonly RefusedSubscription[];
}

/**
 * Paused subscriptions that need an admin, then those whose receivers fail, then creates that were rejected. Tests in the editors of
 * platforms are left out.
 */
export function subscriptionNeeds(
  { subscriptions, statuses, refused }: SubscriptionNeedsInput,
  now: number,
): Attention[] {
  const counted = subscriptions.filter((one) => counts(one, now));
  const statusOf = new Map(statuses.map((one) => [one.subscriptionId, one]));
  const recent = refused.filter(({ last_at }) => now - last_at < REJECTED_RECENTLY_MS);
  const [latest] = recent;
  return [
    ...counted.flatMap(paused),
    ...counted.flatMap((one) => retrying(one, statusOf.get(one.subscription_id), now)),
    ...(latest === undefined
      ? []
      : [
          {
            kind: 'subscriptions_rejected' as const,
            count: recent.reduce((sum, { count }) => sum + count, 0),
            client: latest.client,
            detail: latest.detail,
            last_at: formatInstant(latest.last_at),
          },
        ]),
  ];
}

function retrying(subscription: Subscription, waits: WaitingStatus | undefined, now: number): Attention[] {
  const since = waits === undefined ? null : retryingSince(waits);
  if (waits === undefined || since === null) return [];
  if (subscription.paused !== undefined || now - since < RETRYING_FOR_MS) return [];
  return [
    {
      kind: 'subscription_retrying',
      subscription_id: subscription.subscription_id,
      name: webhookName(subscription),
      since: formatInstant(since),
      waiting: waits.waiting,
      next_attempt_at: instantOrNull(waits.nextDueAt),
    },
  ];
}

function paused(subscription: Subscription): Attention[] {
  const { paused: pause, subscription_id } = subscription;
  switch (pause?.reason) {
    case 'failing':
    case 'key_revoked':
    case 'key_expired':
      return [
        {
          kind: 'subscription_paused',
          subscription_id,
          name: webhookName(subscription),
          reason: pause.reason,
          paused_at: formatInstant(pause.at),
        },
      ];
    case 'by_admin':
    case 'by_client':
    case undefined:
      return [];
  }
}
