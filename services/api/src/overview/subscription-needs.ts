import { formatInstant } from '@sluice/contract/instant';
import { mayActAs } from '@sluice/contract/roles';
import type { Attention } from '@sluice/dashboard-api/overview';
import type { RefusedSubscription, RefusedSubscriptions } from '@sluice/store/refused-subscriptions';
import type { Subscription } from '@sluice/store/subscription-document';
import type { Subscriptions } from '@sluice/store/subscriptions';
import { counts } from '@sluice/subscriptions/life';
import { nameSubscription } from '@sluice/subscriptions/name-subscription';
import type { SignedIn } from '../http/signed-in.ts';

/** Rows stay for 30 days, although a client that was configured meanwhile is accepted. */
const REJECTED_RECENTLY_MS = 24 * 3_600_000;

export interface SubscriptionNeedsDeps {
  readonly subscriptions: Pick<Subscriptions, 'listSubscriptions'>;
  readonly refusedSubscriptions: Pick<RefusedSubscriptions, 'listRefused'>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Problems of webhook subscriptions, for admins only, because only admins can act on them. */
export async function readSubscriptionNeeds(
  { subscriptions, refusedSubscriptions, now }: SubscriptionNeedsDeps,
  { role, accountId }: Pick<SignedIn, 'role' | 'accountId'>,
): Promise<Attention[]> {
  if (!mayActAs(role, 'admin')) return [];
  const [own, refused] = await Promise.all([
    subscriptions.listSubscriptions(accountId),
    refusedSubscriptions.listRefused(accountId),
  ]);
  return subscriptionNeeds(own, refused, now());
}

/** Paused subscriptions that need an admin, then creates that were rejected. Tests in the editors of platforms are left out. */
export function subscriptionNeeds(
  subscriptions: readonly Subscription[],
  refused: readonly RefusedSubscription[],
  now: number,
): Attention[] {
  const recent = refused.filter(({ last_at }) => now - last_at < REJECTED_RECENTLY_MS);
  const [latest] = recent;
  return [
    ...subscriptions.filter((one) => counts(one, now)).flatMap(paused),
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
          name: nameSubscription(subscription),
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
