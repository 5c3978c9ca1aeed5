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

/** What a watcher is told. */
export interface Watcher {
  onEntry(entry: LiveEntry): void;
  /** More has happened than is kept: what it shows is out of date. */
  onMissed(): void;
  /** Sessions or the role of this user have changed. */
  onAccessChanged?(userId: string): void;
  /** There will be no more on this connection. */
  onEnd(): void;
}

/** Hands what workers write to those who watch, whichever replica they are connected to. */
export interface LiveFeed {
  /** Begins after `lastId`, or now. Returns the end of it. */
  watch(accountId: string, lastId: string | undefined, watcher: Watcher): Promise<() => void>;
  close(): void;
}

export interface LiveFeedDeps {
  readonly redis: Redis;
  readonly keyspace: Keyspace;
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
  readonly sayAgainMs?: number;
}

/** A new row is on the page this much later at most; one read serves all who watch here, and none where nobody does. */
const EVERY_MS = 300;

/** Workers publish an account's rows for a minute after they were told that somebody watches. */
const SAY_AGAIN_MS = 15_000;
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
  sayAgainMs = SAY_AGAIN_MS,
}: LiveFeedDeps): LiveFeed {
  const watching = new Set<Watching>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let saidAt = performance.now();
  /** Undefined while nobody watches: notes from before a stream was opened are not about it. */
  let changesAfter: string | undefined;

  /** Where that was forgotten meanwhile, as by a Redis that took over, rows were written that nobody was told of. */
  const sayAgain = async (): Promise<void> => {
    if (performance.now() - saidAt < sayAgainMs) return;
    saidAt = performance.now();
    for (const accountId of new Set([...watching].map((one) => one.accountId))) {
      if (await keepPublished({ redis, keyspace }, accountId)) continue;
      for (const one of watching) if (one.accountId === accountId) one.watcher.onMissed();
    }
  };

  /** Where workers write faster than they are read here, Redis may have let go of what came first after `place`. */
  const tellOfGap = async (accountId: string, place: string): Promise<void> => {
    if (!(await mayHaveMissed({ redis, keyspace }, accountId, place))) return;
    for (const one of watching) if (one.accountId === accountId) one.watcher.onMissed();
  };

  const tellOfAccessChanges = async (): Promise<void> => {
    changesAfter ??= await accessChangesNow({ redis, keyspace });
    const { userIds, place } = await readAccessChanges({ redis, keyspace }, changesAfter);
    changesAfter = place;
    for (const { watcher } of watching) for (const userId of userIds) watcher.onAccessChanged?.(userId);
  };

  const look = async (): Promise<void> => {
    let more = false;
    try {
      await sayAgain();
      const places = oldestPlaces(watching);
      const [news] = await Promise.all([readLive({ redis, keyspace }, places), tellOfAccessChanges()]);
      for (const one of watching) hand(one, news.get(one.accountId) ?? []);
      for (const [accountId, entries] of news) {
        if (entries.length < ENTRIES_A_READ) continue;
        more = true;
        await tellOfGap(accountId, places.get(accountId) as string);
      }
    } catch (error) {
      onError(error);
      // Whoever watches must not believe that nothing happens: they connect again, and are refused until it works.
      for (const { watcher } of watching) watcher.onEnd();
      watching.clear();
    }
    timer = watching.size > 0 && !closed ? setTimeout(() => void look(), more ? 0 : everyMs) : undefined;
    if (timer === undefined) changesAfter = undefined;
  };

  return {
    async watch(accountId, lastId, watcher) {
      const known = lastId !== undefined && ID.test(lastId) ? lastId : undefined;
      const place = await accessChangesNow({ redis, keyspace });
      // One that watches already must not miss what it has not read yet.
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
      if (!closed) timer ??= setTimeout(() => void look(), 0);
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

/** One place for each account: where the one who has seen least of it is. */
function oldestPlaces(watching: ReadonlySet<Watching>): Map<string, string> {
  const places = new Map<string, string>();
  for (const { accountId, after } of watching) {
    const other = places.get(accountId);
    if (other === undefined || isAfter(other, after)) places.set(accountId, after);
  }
  return places;
}

function hand(one: Watching, entries: readonly LiveEntry[]): void {
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
