import { accessChangesNow, type ChangedUsers, readAccessChanges } from '@sluice/monitoring/access-changes';
import {
  ENTRIES_A_READ,
  keepPublished,
  type LiveEntry,
  type LiveNews,
  liveNow,
  mayHaveMissed,
  readLive,
} from '@sluice/monitoring/live-deliveries';
import { isAfter, readPlace, type StreamPlace } from '@sluice/monitoring/read-streams';
import type { Keyspace } from '@sluice/redis/keyspace';
import type { Redis } from 'ioredis';

/** Callbacks of a client that watches an account's live rows. */
export interface Watcher {
  onEntry(entry: LiveEntry): void;
  /** Some rows are no longer buffered, or were lost by Redis, so the client's list is out of date. */
  onMissed(): void;
  /** The sessions or the roles of these users have changed. */
  onAccessChanged?(users: ChangedUsers): void;
  /** The connection will not receive further rows. */
  onEnd(): void;
}

/** Delivers rows that workers write to watching clients, on whichever replica they are connected. */
export interface LiveFeed {
  /** Starts after `lastId` (textOfPlace), or now. Returns a function that stops it. */
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

interface Watching {
  readonly accountId: string;
  readonly watcher: Watcher;
  after: StreamPlace;
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
  let changesAfter: StreamPlace | undefined;

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
    const { users, place } = await readAccessChanges({ redis, keyspace }, changesAfter);
    changesAfter = place;
    if (users === 'anyone' || users.size > 0)
      for (const { watcher } of watching) watcher.onAccessChanged?.(users);
  };

  const poll = async (): Promise<void> => {
    let more = false;
    try {
      await renewAnnouncements();
      const places = oldestPlaces(watching);
      const [news] = await Promise.all([readLive({ redis, keyspace }, places), forwardAccessChanges()]);
      for (const one of watching) deliver(one, news.get(one.accountId), places.get(one.accountId));
      for (const [accountId, found] of news) {
        if (found.status === 'moved' || found.entries.length < ENTRIES_A_READ) continue;
        more = true;
        await reportGap(accountId, (places.get(accountId) as StreamPlace).id);
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
      const known = lastId === undefined ? undefined : readPlace(lastId);
      const place = await accessChangesNow({ redis, keyspace });
      // Existing watchers must not miss changes that they have not read yet.
      changesAfter ??= place;
      const published = await keepPublished({ redis, keyspace }, accountId);
      const now = await liveNow({ redis, keyspace }, accountId);
      // In another run, ids do not compare.
      const resumes = known?.run === now.run && !isAfter(known.id, now.id);
      if (known !== undefined) {
        const isWhole =
          published && resumes && !(await mayHaveMissed({ redis, keyspace }, accountId, known.id));
        if (!isWhole) watcher.onMissed();
      }
      const one: Watching = { accountId, watcher, after: resumes ? known : now };
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

/** The oldest unread place per account, across its watchers. Of several runs it is one of them. */
function oldestPlaces(watching: ReadonlySet<Watching>): Map<string, StreamPlace> {
  const places = new Map<string, StreamPlace>();
  for (const { accountId, after } of watching) {
    const other = places.get(accountId);
    if (other === undefined || (other.run === after.run && isAfter(other.id, after.id)))
      places.set(accountId, after);
  }
  return places;
}

/** `asked`: the place that was read after. The watchers of an account may have places in two runs while Redis fails over. */
function deliver(one: Watching, news: LiveNews | undefined, asked: StreamPlace | undefined): void {
  // The first client of an account, which came during the read.
  if (news === undefined || asked === undefined) return;
  if (news.status === 'moved') {
    if (one.after.run !== asked.run) return;
    one.after = news.place;
    if (news.isMissing) one.watcher.onMissed();
    return;
  }
  if (one.after.run !== asked.run) {
    one.after = asked;
    one.watcher.onMissed();
  }
  for (const entry of news.entries) {
    if (!isAfter(entry.place.id, one.after.id)) continue;
    one.after = entry.place;
    one.watcher.onEntry(entry);
  }
}
