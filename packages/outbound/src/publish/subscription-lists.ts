import type { ChangeKind } from '@sluice/contract/message/event-kinds';
import { type FilteredValues, isWithin } from '../log/matches.ts';
import { wantsKind } from '../log/wants.ts';
import type { PublishedSubscription } from '../queue/published-subscription.ts';

/** What a subscription collects. */
export type CollectingSubscription = Pick<PublishedSubscription, 'kind' | 'events' | 'filter'>;

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
  size: number;
}

/** Subscriptions in memory, over all accounts. An account without any counts as one. */
const MOST_CACHED = 100_000;

/** Lists of subscriptions in memory. The least recently used accounts are dropped beyond a limit. */
export function createSubscriptionLists({ read }: SubscriptionListsDeps): SubscriptionLists {
  const cache = new Map<string, Cached>();
  let size = 0;

  const drop = (accountId: string): void => {
    size -= cache.get(accountId)?.size ?? 0;
    cache.delete(accountId);
  };
  const makeRoom = (): void => {
    for (const accountId of cache.keys()) {
      if (size <= MOST_CACHED || cache.size === 1) return;
      drop(accountId);
    }
  };

  function load(accountId: string, version: string): Cached {
    const readAt = performance.now();
    const reading = read(accountId);
    const list = reading.then(
      (some): SubscriptionList => ({
        readAt,
        collects: (kind, values) => some.some((one) => wantsKind(one, kind) && isWithin(one.filter, values)),
      }),
    );
    const cached: Cached = { version, list, size: 1 };
    cache.set(accountId, cached);
    size += 1;
    reading.then(
      ({ length }) => {
        if (cache.get(accountId) !== cached) return;
        cached.size += length;
        size += length;
        makeRoom();
      },
      // A failed read is repeated by the next caller.
      () => cache.get(accountId) === cached && drop(accountId),
    );
    return cached;
  }

  return {
    async of(accountId, version) {
      const cached = cache.get(accountId);
      drop(accountId);
      if (cached?.version !== version) return load(accountId, version).list;
      // Behind all others: it is the most recently used one.
      cache.set(accountId, cached);
      size += cached.size;
      return cached.list;
    },
    clear() {
      cache.clear();
      size = 0;
    },
  };
}
