import type { SubscriptionDeps } from './deps.ts';
import { published, wantsEvents } from './publication.ts';

/** Every worker's knowledge of who asks for events has run out after this time. Milliseconds. */
const EVENTS_KNOWN_MS = 1200;

/** The result of work under a fence. */
export interface Worked<T> {
  readonly result: T;
  /** The ids of the subscriptions that it may have changed, also those that are gone. */
  readonly touched: readonly string[];
}

type FenceDeps = Pick<SubscriptionDeps, 'subscriptions' | 'subscriptionDirectory' | 'now' | 'sleep'>;

/**
 * Changes subscriptions of an account. First a fence, then MongoDB, then the publication: so no fan-out uses an older list.
 * Resolves once no attempt by the previous state can begin any more. If this process dies on the way, the fence expires and
 * the account is published again from MongoDB. Throws if MongoDB or Redis fails; then repeat the change.
 */
export async function underFence<T>(
  deps: FenceDeps,
  accountId: string,
  work: () => Promise<Worked<T>>,
): Promise<T> {
  const { subscriptions, subscriptionDirectory: directory, now, sleep } = deps;
  const before = await subscriptions.listSubscriptions(accountId);
  const fence = await directory.fence(accountId);
  const { result, touched } = await work();
  const after = await subscriptions.listSubscriptions(accountId);
  const wants = wantsEvents(after, now());
  const isTouched = new Set(touched);
  const left = after.filter(({ subscription_id: id }) => isTouched.has(id));
  const { leasesEndInMs } = await directory.publish(accountId, fence, {
    put: left.map(published),
    remove: touched.filter((id) => !left.some(({ subscription_id }) => subscription_id === id)),
    wantsEvents: wants,
  });
  const isFirst = wants && !wantsEvents(before, now());
  await sleep(Math.max(leasesEndInMs, isFirst ? EVENTS_KNOWN_MS : 0));
  return result;
}
