import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '@sluice/runtime/timing/within';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import type { Fence } from '../directory/subscription-directory.ts';
import type { SubscriptionDeps } from './deps.ts';
import { published, wantsEvents } from './publication.ts';

/** Every worker's knowledge of who asks for events has run out after this time. Milliseconds. */
const EVENTS_KNOWN_MS = 1200;

type FenceDeps = Pick<SubscriptionDeps, 'subscriptions' | 'subscriptionDirectory' | 'now' | 'sleep'>;

/**
 * Changes subscriptions of an account. First a fence, then MongoDB, then the publication: so no fan-out uses an older list.
 * Resolves once no attempt by the previous state can begin any more. If this process dies on the way, the fence expires and
 * the account is published again from MongoDB. Throws if MongoDB or Redis fails; then repeat the change. `work` adds the ids of the
 * subscriptions that it may have changed to `touched`, also those that are gone.
 */
export async function underFence<T>(
  deps: FenceDeps,
  accountId: string,
  work: (touched: Set<string>) => Promise<T>,
  { answerWithinMs }: Patience = {},
): Promise<T> {
  const began = performance.now();
  const before = await deps.subscriptions.listSubscriptions(accountId);
  const fence = await deps.subscriptionDirectory.fence(accountId);
  const touched = new Set<string>();
  const result = await work(touched);
  const publish = () => publishChange(deps, accountId, { fence, touched, before });
  if (answerWithinMs === undefined) await publish();
  else {
    const leftMs = Math.max(0, answerWithinMs - (performance.now() - began));
    await within(leftMs, publishPatiently(publish), () => undefined);
  }
  return result;
}

/** How long to wait for the publication of a change that is stored. */
export interface Patience {
  /** The result comes after this time at the latest, from the beginning on. The publication goes on behind it. Absent: no limit. Milliseconds. */
  readonly answerWithinMs?: number;
}

const MOST_TRIES = 60;
const TRY_AGAIN_MS = 500;

/** Never rejects. What it cannot publish is published by the sweep. */
async function publishPatiently(publish: () => Promise<void>): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries++)
    try {
      return await publish();
    } catch {
      await sleep(TRY_AGAIN_MS, undefined, { ref: false });
    }
}

interface StoredChange {
  readonly fence: Fence;
  readonly touched: ReadonlySet<string>;
  readonly before: readonly Subscription[];
}

/** Resolves once no attempt by the previous state can begin any more. */
async function publishChange(
  deps: FenceDeps,
  accountId: string,
  { fence, touched, before }: StoredChange,
): Promise<void> {
  const { subscriptions, subscriptionDirectory: directory, now } = deps;
  const after = await subscriptions.listSubscriptions(accountId);
  const left = after.filter(({ subscription_id: id }) => touched.has(id));
  const { leasesEndInMs } = await directory.publish(accountId, fence, {
    put: left.map(published),
    remove: [...touched].filter((id) => !left.some(({ subscription_id }) => subscription_id === id)),
  });
  const isFirst = wantsEvents(after, now()) && !wantsEvents(before, now());
  await deps.sleep(Math.max(leasesEndInMs, isFirst ? EVENTS_KNOWN_MS : 0));
}
