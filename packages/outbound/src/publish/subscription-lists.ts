import type { ChangeKind } from '@sluice/contract/message/event-kinds';
import { asksFor, isWithin } from '../log/matches.ts';

/** A subscription that collects changes. */
export interface CollectingSubscription {
  readonly subscription_id: string;
  /** `reply`: the reply URL of a channel. */
  readonly kind: 'webhook' | 'reply';
  /** Event kinds, or `*`. */
  readonly events: readonly string[];
  readonly filter?: ChangeFilter | undefined;
}

/** A change must have all of these values. */
export interface ChangeFilter {
  readonly source_id?: string;
  readonly channel_id?: string;
  readonly stage?: string;
}

/** The subscriptions of an account at one version of its directory. */
export interface SubscriptionList {
  /** When it was asked for. Milliseconds of a clock that is never set. */
  readonly readAt: number;
  /** The ids of the subscriptions that collect a change. */
  collecting(kind: ChangeKind, of: ChangeFilter): readonly string[];
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
    const cached: Cached = { version, list: reading.then((some) => toList(some, readAt)), size: 1 };
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

function toList(subscriptions: readonly CollectingSubscription[], readAt: number): SubscriptionList {
  const byKind = new Map<ChangeKind, Wanting>();
  return {
    readAt,
    collecting(kind, of) {
      let wanting = byKind.get(kind);
      if (wanting === undefined) {
        wanting = wantingOf(subscriptions, kind);
        byKind.set(kind, wanting);
      }
      const { all, filtered } = wanting;
      if (filtered.length === 0) return all;
      const some = filtered.filter(({ filter }) => isWithin(filter ?? {}, of));
      return some.length === 0 ? all : [...all, ...some.map(({ subscription_id }) => subscription_id)];
    },
  };
}

/** The subscriptions that want a kind. Most have no filter, and share one list of ids. */
interface Wanting {
  readonly all: readonly string[];
  readonly filtered: readonly CollectingSubscription[];
}

function wantingOf(subscriptions: readonly CollectingSubscription[], kind: ChangeKind): Wanting {
  const wanting = subscriptions.filter((one) => wants(one, kind));
  const isFiltered = ({ filter }: CollectingSubscription) =>
    Object.values(filter ?? {}).some((value) => value !== undefined);
  return {
    all: wanting.filter((one) => !isFiltered(one)).map(({ subscription_id }) => subscription_id),
    filtered: wanting.filter(isFiltered),
  };
}

function wants({ kind, events }: CollectingSubscription, change: ChangeKind): boolean {
  return kind === 'reply' ? change === 'conversation.reply' : asksFor({ events }, change);
}
