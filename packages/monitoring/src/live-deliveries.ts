import type { Delivery, ListedDelivery } from '@sluice/contract/delivery';
import { HOUR_SECONDS } from '@sluice/contract/durations';
import type { Keyspace } from '@sluice/redis/keyspace';
import type { Redis } from 'ioredis';
import { isAfter, lastPlace, NOTHING_YET, readStreams, type StreamPlace } from './read-streams.ts';

/** Rows that were written together, as an open page gets them. */
export interface LiveEntry {
  readonly place: StreamPlace;
  readonly rows: readonly ListedDelivery[];
  /** The number of further rows. */
  readonly omitted: number;
}

/** A burst is not shown row by row: no one could read it, and the list has all rows. */
const ROWS_AN_ENTRY = 50;

/** Enough for a reconnect. Older entries are in the list. */
const ENTRIES_KEPT = 200;
const KEPT_SECONDS = HOUR_SECONDS;

/** An open page calls `keepPublished` more often than that. A reconnect takes less. */
const PUBLISHED_SECONDS = 60;

/**
 * Publishes an account's rows from now on, for a minute. Resolves to whether they were published until now. If not, the
 * rows since then are only in the log.
 */
export async function keepPublished(
  { redis, keyspace }: { redis: Redis; keyspace: Keyspace },
  accountId: string,
): Promise<boolean> {
  return (await redis.set(keyspace.watched(accountId), '1', 'EX', PUBLISHED_SECONDS, 'GET')) !== null;
}

/**
 * Publishes new rows to the open pages of an account's log, with the number of unpublished rows (`untold`, by account): one
 * entry for each group and account. If no page is open, which is nearly always so, Redis gets only the question for one.
 * The rows would be a quarter of all that it writes to its file.
 */
export async function publishDeliveries(
  { redis, keyspace }: { redis: Redis; keyspace: Keyspace },
  rows: readonly Delivery[],
  untold: ReadonlyMap<string, number> = new Map(),
): Promise<void> {
  const accountIds = [...new Set([...rows.map(({ account_id }) => account_id), ...untold.keys()])];
  if (accountIds.length === 0) return;
  const watched = await redis.mget(accountIds.map((accountId) => keyspace.watched(accountId)));
  for (const [at, accountId] of accountIds.entries()) {
    if (watched[at] === null) continue;
    const own = rows.filter(({ account_id }) => account_id === accountId);
    const newest = own.slice(-ROWS_AN_ENTRY).map(listed);
    const omitted = own.length - newest.length + (untold.get(accountId) ?? 0);
    const fields = ['rows', JSON.stringify(newest), 'omitted', String(omitted)];
    const key = keyspace.live(accountId);
    await Promise.all([
      redis.xadd(key, 'MAXLEN', '~', ENTRIES_KEPT, '*', ...fields),
      redis.expire(key, KEPT_SECONDS),
    ]);
  }
}

/** Omits the stored requests, except for their sizes. */
function listed({ request, ...row }: Delivery): ListedDelivery {
  return request === undefined ? row : { ...row, request: { bytes: request.bytes } };
}

/** The place before all future entries. */
export function liveNow(
  { redis, keyspace }: { redis: Redis; keyspace: Keyspace },
  accountId: string,
): Promise<StreamPlace> {
  return lastPlace(redis, keyspace.live(accountId));
}

/** Resolves to whether entries after this id may have been trimmed already. */
export async function mayHaveMissed(
  { redis, keyspace }: { redis: Redis; keyspace: Keyspace },
  accountId: string,
  after: string,
): Promise<boolean> {
  const [oldest] = await redis.xrange(keyspace.live(accountId), '-', '+', 'COUNT', 1);
  if (after !== NOTHING_YET) return oldest === undefined || isAfter(oldest[0], after);
  return oldest !== undefined && (await hasLetGo(redis, keyspace.live(accountId)));
}

/** Resolves to whether Redis has trimmed the stream. */
async function hasLetGo(redis: Redis, key: string): Promise<boolean> {
  const info = (await redis.xinfo('STREAM', key)) as unknown[];
  const value = (name: string) => Number(info[info.indexOf(name) + 1]);
  return value('entries-added') > value('length');
}

/** The maximum number of entries of one account in a read. There may be more. */
export const ENTRIES_A_READ = 100;

/** The news of an account after a place in its stream. */
export type LiveNews =
  | { readonly status: 'read'; readonly entries: readonly LiveEntry[] }
  /** Read on from this place. `isMissing`: entries before it may be missing. */
  | { readonly status: 'moved'; readonly place: StreamPlace; readonly isMissing: boolean };

/** Reads the entries after each account's place, in one round trip. */
export async function readLive(
  { redis, keyspace }: { redis: Redis; keyspace: Keyspace },
  after: ReadonlyMap<string, StreamPlace>,
): Promise<ReadonlyMap<string, LiveNews>> {
  if (after.size === 0) return new Map();
  const places = Array.from(after, ([accountId, place]) => [keyspace.live(accountId), place] as const);
  const found = await readStreams(redis, places, ENTRIES_A_READ);
  return new Map(
    Array.from(after, ([accountId, { run }], index): [string, LiveNews] => {
      const news = found[index];
      if (news === undefined) return [accountId, { status: 'read', entries: [] }];
      if (news.status === 'moved') return [accountId, news];
      const entries = news.entries.map(([id, fields]) => toEntry({ run, id }, fields));
      return [accountId, { status: 'read', entries }];
    }),
  );
}

function toEntry(place: StreamPlace, fields: readonly string[]): LiveEntry {
  const value = (name: string) => fields[fields.indexOf(name) + 1] ?? '0';
  return { place, rows: JSON.parse(value('rows')) as ListedDelivery[], omitted: Number(value('omitted')) };
}

/** Forgets the rows that were published for an account. Open pages continue, and the log has the rows. */
export async function forgetLive(
  { redis, keyspace }: { redis: Redis; keyspace: Keyspace },
  accountId: string,
): Promise<void> {
  await redis.xtrim(keyspace.live(accountId), 'MAXLEN', 0);
}
