import type { Delivery, ListedDelivery } from '@sluice/contract/delivery';
import type { Keyspace } from '@sluice/shards/keyspace';
import type { Redis } from 'ioredis';

/** Rows that were written together, as whoever watches gets them. */
export interface LiveEntry {
  /** Names its place; grows. */
  readonly id: string;
  readonly rows: readonly ListedDelivery[];
  /** How many more there were. */
  readonly omitted: number;
}

/** A burst is not shown row by row: nobody could read it, and the list has them all. */
const ROWS_AN_ENTRY = 50;

/** Enough for a reconnect; older ones are in the list. */
const ENTRIES_KEPT = 200;
const KEPT_SECONDS = 3600;

/** Whoever watches says so again well within this time (see `keepPublished`); a reconnect takes less. */
const PUBLISHED_SECONDS = 60;

/**
 * Has an account's rows published from now on, for a minute. Whether they were until now: if not, what was written
 * meanwhile is in the log alone.
 */
export async function keepPublished(
  { redis, keyspace }: { redis: Redis; keyspace: Keyspace },
  accountId: string,
): Promise<boolean> {
  return (await redis.set(keyspace.watched(accountId), '1', 'EX', PUBLISHED_SECONDS, 'GET')) !== null;
}

/**
 * Tells those who watch an account's log of rows that were just written, and of how many others they were not (`untold`,
 * by account): one entry a group and account. Where nobody does, as is nearly always, Redis is asked that and no more: the
 * rows would be a quarter of what it writes to its file.
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

/** Kept requests stay out of it, but for their sizes. */
function listed({ request, ...row }: Delivery): ListedDelivery {
  return request === undefined ? row : { ...row, request: { bytes: request.bytes } };
}

/** Comes before the first entry of all. */
const NOTHING_YET = '0-0';

/** The id that comes before everything that is written from now on. */
export async function liveNow(
  { redis, keyspace }: { redis: Redis; keyspace: Keyspace },
  accountId: string,
): Promise<string> {
  const [last] = await redis.xrevrange(keyspace.live(accountId), '+', '-', 'COUNT', 1);
  return last?.[0] ?? NOTHING_YET;
}

/** Whether entries after this id may have been let go of already. */
export async function mayHaveMissed(
  { redis, keyspace }: { redis: Redis; keyspace: Keyspace },
  accountId: string,
  after: string,
): Promise<boolean> {
  const [oldest] = await redis.xrange(keyspace.live(accountId), '-', '+', 'COUNT', 1);
  if (after !== NOTHING_YET) return oldest === undefined || compareIds(oldest[0], after) > 0;
  return oldest !== undefined && (await hasLetGo(redis, keyspace.live(accountId)));
}

/** Whether Redis no longer has all that was ever written to a stream. */
async function hasLetGo(redis: Redis, key: string): Promise<boolean> {
  const info = (await redis.xinfo('STREAM', key)) as unknown[];
  const value = (name: string) => Number(info[info.indexOf(name) + 1]);
  return value('entries-added') > value('length');
}

/** Of one account. Where it has so many there may be more. */
export const ENTRIES_A_READ = 100;

/** What was written after each account's id, in one round trip; accounts with nothing new are left out. */
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
