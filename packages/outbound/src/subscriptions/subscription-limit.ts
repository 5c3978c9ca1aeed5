import type { SubscriptionDeps } from './deps.ts';
import { counts } from './life.ts';

/** Whether the account has as many subscriptions as it may have. Tests do not count. */
export async function isFull(deps: LimitDeps, accountId: string): Promise<boolean> {
  return (await countOf(deps, accountId)) >= deps.subscriptionLimit;
}

/**
 * Asked after a write that adds one, because several may have found the last place free. All that see too many take their write back
 * and try again, so the limit holds whatever their clocks say.
 */
export async function isOverfull(deps: LimitDeps, accountId: string): Promise<boolean> {
  return (await countOf(deps, accountId)) > deps.subscriptionLimit;
}

type LimitDeps = Pick<SubscriptionDeps, 'subscriptions' | 'subscriptionLimit' | 'now'>;

async function countOf({ subscriptions, now }: LimitDeps, accountId: string): Promise<number> {
  const own = await subscriptions.listSubscriptions(accountId);
  return own.filter((one) => counts(one, now())).length;
}
