import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import type { SubscriptionDeps } from './deps.ts';

/** Pauses that nobody asked for. A revocation was an admin's own act, so its pauses are not among them. */
const UNEXPECTED = ['failing', 'key_expired'] as const;

/** Subscriptions of one call. The next one returns the rest. */
const AT_ONCE = 200;

/**
 * The subscriptions that were paused unexpectedly since the last call, of all accounts. Each pause is returned once, also to
 * several callers at the same time: the caller informs the owners.
 */
export async function claimPendingPauses({
  subscriptions,
  now,
}: Pick<SubscriptionDeps, 'subscriptions' | 'now'>): Promise<readonly Subscription[]> {
  const claimed: Subscription[] = [];
  for (const one of await subscriptions.listPending(UNEXPECTED, AT_ONCE)) {
    if (one.paused === undefined) continue;
    // Dispatchers do not read this field, so the change needs no fence.
    const claim = { ...one, version: one.version + 1, paused: { ...one.paused, told_at: now() } };
    if ((await subscriptions.replaceSubscription(claim)) === 'replaced') claimed.push(claim);
  }
  return claimed;
}
