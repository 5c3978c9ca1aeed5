import type { ChangeKind } from '@sluice/contract/message/event-kinds';
import { LRUCache } from 'lru-cache';
import { type FilteredValues, isWithin } from '../log/matches.ts';
import { wantsKind } from '../log/wants.ts';
import type { CollectingSubscription } from '../queue/published-subscription.ts';

/** The subscriptions of an account at one version of its directory. */
export interface SubscriptionList {
  /** When it was asked for. Milliseconds of a clock that is never set. */
  readonly readAt: number;
  /** Whether one of them collects a change. */
  collects(kind: ChangeKind, values: FilteredValues): boolean;
}

export interface SubscriptionListsDeps {
  /** Reads the subscriptions of an account that collect, in MongoDB. */
  readonly read: (accountId: string) => Promise<readonly CollectingSubscription[]>;
}

export interface SubscriptionLists {
  /**
   * The list at a version. Ask the directory for the version first: a list that is read afterwards has at least the changes
   * of that version.
   */
  of(accountId: string, version: string): Promise<SubscriptionList>;
  /** Call it when Redis may have lost versions, so that a lost one never names an old list again. */
  clear(): void;
}

interface Cached {
  readonly version: string;
  readonly list: Promise<SubscriptionList>;
  readonly size: number;
}

/** Subscriptions in memory, over all accounts. An account without any counts as one. */
const MOST_CACHED = 100_000;

/** Lists of subscriptions in memory. The least recently used accounts are dropped beyond a limit. */
export function createSubscriptionLists({ read }: SubscriptionListsDeps): SubscriptionLists {
  const cache = new LRUCache<string, Cached>({ maxSize: MOST_CACHED, sizeCalculation: ({ size }) => size });

  function load(accountId: string, version: string): Promise<SubscriptionList> {
    const readAt = performance.now();
    const reading = read(accountId);
    const list = reading.then(
      (some): SubscriptionList => ({
        readAt,
        collects: (kind, values) => some.some((one) => wantsKind(one, kind) && isWithin(one.filter, values)),
      }),
    );
    const cached = { version, list, size: 1 };
    cache.set(accountId, cached);
    const isCached = () => cache.peek(accountId) === cached;
    reading.then(
      ({ length }) => isCached() && cache.set(accountId, { ...cached, size: 1 + length }),
      // A failed read is repeated by the next caller.
      () => isCached() && cache.delete(accountId),
    );
    return list;
  }

  return {
    async of(accountId, version) {
      const cached = cache.get(accountId);
      return cached?.version === version ? cached.list : load(accountId, version);
    },
    clear: () => cache.clear(),
  };
}
