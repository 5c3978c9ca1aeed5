import type { SubscriptionDeps } from './deps.ts';
import { loadPublication } from './publication.ts';

/**
 * Publishes all subscriptions of an account again, from MongoDB. Redis has lost them, or has begun another run. Throws if a store
 * fails.
 */
export function publishAgain(
  deps: Pick<SubscriptionDeps, 'subscriptions' | 'sources' | 'subscriptionDirectory' | 'now'>,
  accountId: string,
): Promise<void> {
  return deps.subscriptionDirectory.republish(accountId, () => loadPublication(deps, accountId));
}

/** Sends messages again, in the given order. Throws if a store fails, or if the subscription is removed at the same time. */
export async function pushToMailbox(
  deps: Pick<SubscriptionDeps, 'subscriptions' | 'sources' | 'subscriptionDirectory' | 'now' | 'mailboxes'>,
  ...[accountId, subscriptionId, entries, why]: Parameters<SubscriptionDeps['mailboxes']['pushAgain']>
): Promise<void> {
  const push = () => deps.mailboxes.pushAgain(accountId, subscriptionId, entries, why);
  if (await push()) return;
  await publishAgain(deps, accountId);
  if (!(await push())) throw new Error(`the subscription ${subscriptionId} has no mailbox`);
}
