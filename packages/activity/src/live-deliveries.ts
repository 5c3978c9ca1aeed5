import type { Delivery, ListedDelivery } from '@sluice/contract/delivery';
import type { Keyspace } from '@sluice/shards/keyspace';
import type { Redis } from 'ioredis';

/** Rows that were written together, as an open page gets them. */
export interface LiveEntry {
  /** Its place in the stream. Ids grow. */
  readonly id: string;
  readonly rows: readonly ListedDelivery[];
  /** The number of further rows. */
  readonly omitted: number;
}

/** A burst is not shown row by row: no one could read it, and the list has all rows. */
const ROWS_AN_ENTRY = 50;

/** Enough for a reconnect. Older entries are in the list. */
const ENTRIES_KEPT = 200;
const KEPT_SECONDS = 3600;

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

/** The id before the first entry. */
const NOTHING_YET = '0-0';

/** The id before all future entries. */
export async function liveNow(
  { redis, keyspace }: { redis: Redis; keyspace: Keyspace },
  accountId: string,
): Promise<string> {
  const [last] = await redis.xrevrange(keyspace.live(accountId), '+', '-', 'COUNT', 1);
  return last?.[0] ?? NOTHING_YET;
}

/** Resolves to whether entries after this id may have been trimmed already. */
export async function mayHaveMissed(
  { redis, keyspace }: { redis: Redis; keyspace: Keyspace },
  accountId: string,
  after: string,
): Promise<boolean> {
  const [oldest] = await redis.xrange(keyspace.live(accountId), '-', '+', 'COUNT', 1);
  if (after !== NOTHING_YET) return oldest === undefined || compareIds(oldest[0], after) > 0;
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

/** Reads the entries after each account's id, in one round trip. Accounts without new entries are omitted. */
export async function readLive(
  { redis, keyspace }: { redis: Redis; keyspace: Keyspace },
  after: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, readonly LiveEntry[]>> {
  if (after.size === 0) return new Map();
  const keys = [...after.keys()].map((accountId) => keyspace.live(accountId));
  const streams = (await redis.xread('COUNT', ENTRIES_A_READ, 'STREAMS', ...keys, ...after.values())) ?? [];
  const accountOf = new Map([...after.keys()].map((accountId) => [keyspace.live(accountId), accountId]));
  return new Map(
    streams.map(([key, entries]) => [
      accountOf.get(key) ?? '',
      entries.map(([id, fields]) => toEntry(id, fields)),
    ]),
  );
}

function toEntry(id: string, fields: readonly string[]): LiveEntry {
  const value = (name: string) => fields[fields.indexOf(name) + 1] ?? '0';
  return { id, rows: JSON.parse(value('rows')) as ListedDelivery[], omitted: Number(value('omitted')) };
}

function compareIds(a: string, b: string): number {
  const [aMs = 0, aSeq = 0] = a.split('-').map(Number);
  const [bMs = 0, bSeq = 0] = b.split('-').map(Number);
  return aMs - bMs || aSeq - bSeq;
}

/** Forgets the rows that were published for an account. Open pages continue, and the log has the rows. */
export async function forgetLive(
  { redis, keyspace }: { redis: Redis; keyspace: Keyspace },
  accountId: string,
): Promise<void> {
  await redis.xtrim(keyspace.live(accountId), 'MAXLEN', 0);
}
