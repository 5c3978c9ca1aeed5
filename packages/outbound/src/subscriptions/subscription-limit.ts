import type { SubscriptionDeps } from './deps.ts';
import { counts } from './life.ts';

type LimitDeps = Pick<SubscriptionDeps, 'subscriptions' | 'subscriptionLimit' | 'now'>;

/** How many more subscriptions the account may have. Tests do not count. Negative: concurrent creates have made too many. */
export async function placesLeft(
  { subscriptions, subscriptionLimit, now }: LimitDeps,
  accountId: string,
): Promise<number> {
  const own = await subscriptions.listSubscriptions(accountId);
  return subscriptionLimit - own.filter((one) => counts(one, now())).length;
}
