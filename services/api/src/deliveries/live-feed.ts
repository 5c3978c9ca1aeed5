import { accessChangesNow, readAccessChanges } from '@sluice/activity/access-changes';
import {
  ENTRIES_A_READ,
  keepPublished,
  type LiveEntry,
  liveNow,
  mayHaveMissed,
  readLive,
} from '@sluice/activity/live-deliveries';
import type { Keyspace } from '@sluice/shards/keyspace';
import type { Redis } from 'ioredis';

/** Callbacks of a client that watches an account's live rows. */
export interface Watcher {
  onEntry(entry: LiveEntry): void;
  /** Some rows are no longer buffered, so the client's list is out of date. */
  onMissed(): void;
  /** The sessions or the role of this user have changed. */
  onAccessChanged?(userId: string): void;
  /** The connection will not receive further rows. */
  onEnd(): void;
}

/** Delivers rows that workers write to watching clients, on whichever replica they are connected. */
export interface LiveFeed {
  /** Starts after `lastId`, or now. Returns a function that stops it. */
  watch(accountId: string, lastId: string | undefined, watcher: Watcher): Promise<() => void>;
  close(): void;
}

export interface LiveFeedDeps {
  readonly redis: Redis;
  readonly keyspace: Keyspace;
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
  readonly renewMs?: number;
}

/** Maximum delay until a new row appears on the page. One read serves all watchers; without any, nothing is read. */
const EVERY_MS = 300;

/** Workers publish an account's rows for a minute after each announcement that a client watches. */
const RENEW_MS = 15_000;
const ID = /^\d{1,15}-\d{1,15}$/;

interface Watching {
  readonly accountId: string;
  readonly watcher: Watcher;
  after: string;
}

export function createLiveFeed({
  redis,
  keyspace,
  onError,
  everyMs = EVERY_MS,
  renewMs = RENEW_MS,
}: LiveFeedDeps): LiveFeed {
  const watching = new Set<Watching>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let renewedAt = performance.now();
  /** undefined while nobody watches: changes from before a stream was opened do not concern it. */
  let changesAfter: string | undefined;

  /** Renews the announcement. If Redis lost it, for example in a failover, workers wrote rows without publishing. */
  const renewAnnouncements = async (): Promise<void> => {
    if (performance.now() - renewedAt < renewMs) return;
    renewedAt = performance.now();
    for (const accountId of new Set([...watching].map((one) => one.accountId))) {
      if (await keepPublished({ redis, keyspace }, accountId)) continue;
      for (const one of watching) if (one.accountId === accountId) one.watcher.onMissed();
    }
  };

  /** If workers write faster than this process reads, Redis may have dropped the rows right after `place`. */
  const reportGap = async (accountId: string, place: string): Promise<void> => {
    if (!(await mayHaveMissed({ redis, keyspace }, accountId, place))) return;
    for (const one of watching) if (one.accountId === accountId) one.watcher.onMissed();
  };

  const forwardAccessChanges = async (): Promise<void> => {
    changesAfter ??= await accessChangesNow({ redis, keyspace });
    const { userIds, place } = await readAccessChanges({ redis, keyspace }, changesAfter);
    changesAfter = place;
    for (const { watcher } of watching) for (const userId of userIds) watcher.onAccessChanged?.(userId);
  };

  const poll = async (): Promise<void> => {
    let more = false;
    try {
      await renewAnnouncements();
      const places = oldestPlaces(watching);
      const [news] = await Promise.all([readLive({ redis, keyspace }, places), forwardAccessChanges()]);
      for (const one of watching) deliver(one, news.get(one.accountId) ?? []);
      for (const [accountId, entries] of news) {
        if (entries.length < ENTRIES_A_READ) continue;
        more = true;
        await reportGap(accountId, places.get(accountId) as string);
      }
    } catch (error) {
      onError(error);
      // Clients must not conclude that nothing happens. They reconnect and get an error until Redis works again.
      for (const { watcher } of watching) watcher.onEnd();
      watching.clear();
    }
    timer = watching.size > 0 && !closed ? setTimeout(() => void poll(), more ? 0 : everyMs) : undefined;
    if (timer === undefined) changesAfter = undefined;
  };

  return {
    async watch(accountId, lastId, watcher) {
      const known = lastId !== undefined && ID.test(lastId) ? lastId : undefined;
      const place = await accessChangesNow({ redis, keyspace });
      // Existing watchers must not miss changes that they have not read yet.
      changesAfter ??= place;
      const published = await keepPublished({ redis, keyspace }, accountId);
      if (known !== undefined && (!published || (await mayHaveMissed({ redis, keyspace }, accountId, known))))
        watcher.onMissed();
      const one: Watching = {
        accountId,
        watcher,
        after: known ?? (await liveNow({ redis, keyspace }, accountId)),
      };
      if (closed) watcher.onEnd();
      else watching.add(one);
      if (!closed) timer ??= setTimeout(() => void poll(), 0);
      return () => void watching.delete(one);
    },
    close() {
      closed = true;
      clearTimeout(timer);
      for (const { watcher } of watching) watcher.onEnd();
      watching.clear();
    },
  };
}

/** The oldest unread place per account, across its watchers. */
function oldestPlaces(watching: ReadonlySet<Watching>): Map<string, string> {
  const places = new Map<string, string>();
  for (const { accountId, after } of watching) {
    const other = places.get(accountId);
    if (other === undefined || isAfter(other, after)) places.set(accountId, after);
  }
  return places;
}

function deliver(one: Watching, entries: readonly LiveEntry[]): void {
  for (const entry of entries) {
    if (!isAfter(entry.id, one.after)) continue;
    one.after = entry.id;
    one.watcher.onEntry(entry);
  }
}

/** Ids are `<milliseconds>-<number>`. */
function isAfter(id: string, other: string): boolean {
  const [ms = 0, number = 0] = id.split('-').map(Number);
  const [otherMs = 0, otherNumber = 0] = other.split('-').map(Number);
  return ms > otherMs || (ms === otherMs && number > otherNumber);
}
