import { RUN_LUA } from '@sluice/redis/run.lua';
import type { Redis } from 'ioredis';

/**
 * A place in a stream. The ids of a stream grow only within one run of Redis (packages/redis, run.lua.ts). A server that took over
 * may lack the last entries, and with a slower clock it gives new entries lower ids than those had.
 */
export interface StreamPlace {
  readonly run: string;
  /** Redis's id of the last entry that was read. */
  readonly id: string;
}

/** An entry of a stream: its id, and its fields, each followed by its value. */
export type StreamEntry = readonly [id: string, fields: readonly string[]];

export type StreamNews =
  | { readonly status: 'read'; readonly entries: readonly StreamEntry[] }
  /** The former place is no longer in the stream: read on from this one. `isMissing`: entries between them may be missing. */
  | { readonly status: 'moved'; readonly place: StreamPlace; readonly isMissing: boolean };

/** The id before the first entry. */
export const NOTHING_YET = '0-0';

/** Differs from every run, so that a read returns the present place. */
const NO_RUN = '?';

/**
 * KEYS the streams   ARGV[1] the most entries of each, then for each stream the run and the id of its place
 * Returns the run, then for each stream its entries; its last id if the place is of another run; or nil if the stream is gone. Another
 * stream would begin again by the clock.
 */
const READ = `${RUN_LUA}
local now = string.sub(run, 1, 8) .. string.sub(history, 1, 8)
local out = {now}
for n, key in ipairs(KEYS) do
  if ARGV[2 * n] ~= now then
    local last = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
    out[n + 1] = last and last[1] or '${NOTHING_YET}'
  else
    local found = redis.call('XRANGE', key, '(' .. ARGV[2 * n + 1], '+', 'COUNT', ARGV[1])
    out[n + 1] = (#found > 0 or redis.call('EXISTS', key) == 1) and found
  end
end
return out
`;

interface ReadCommand {
  sluiceReadStreams(
    keys: number,
    ...args: (string | number)[]
  ): Promise<[run: string, ...news: (readonly StreamEntry[] | string | null)[]]>;
}

function commandOn(redis: Redis): ReadCommand {
  if (!('sluiceReadStreams' in redis))
    redis.defineCommand('sluiceReadStreams', { lua: READ, readOnly: true });
  return redis as unknown as ReadCommand;
}

/** Reads several streams of one slot after their places, in one round trip. Resolves to the news of each, in their order. */
export async function readStreams(
  redis: Redis,
  places: readonly (readonly [key: string, after: StreamPlace])[],
  count: number,
): Promise<readonly StreamNews[]> {
  const keys = places.map(([key]) => key);
  const after = places.flatMap(([, { run, id }]) => [run, id]);
  const [run, ...found] = await commandOn(redis).sluiceReadStreams(keys.length, ...keys, count, ...after);
  return found.map((news): StreamNews => {
    if (news === null) return { status: 'moved', place: { run, id: NOTHING_YET }, isMissing: false };
    return typeof news === 'string'
      ? { status: 'moved', place: { run, id: news }, isMissing: true }
      : { status: 'read', entries: news };
  });
}

/** The place after the last entry of a stream. */
export async function lastPlace(redis: Redis, key: string): Promise<StreamPlace> {
  const [news] = await readStreams(redis, [[key, { run: NO_RUN, id: NOTHING_YET }]], 1);
  if (news?.status !== 'moved') throw new Error(`Redis has named no place in ${key}`);
  return news.place;
}

/** Whether one id of a stream comes after another in the same run. Ids are `<milliseconds>-<number>`. */
export function isAfter(id: string, other: string): boolean {
  const [ms = 0, number = 0] = id.split('-').map(Number);
  const [otherMs = 0, otherNumber = 0] = other.split('-').map(Number);
  return ms > otherMs || (ms === otherMs && number > otherNumber);
}

const TEXT = /^(\d{1,15}-\d{1,15})(?:-([0-9a-f]{0,16}))?$/;

/** A place as the id of a server-sent event. */
export function textOfPlace({ run, id }: StreamPlace): string {
  return `${id}-${run}`;
}

/** Reads what textOfPlace wrote; undefined for another text. Earlier versions named no run. */
export function readPlace(text: string): StreamPlace | undefined {
  const [, id, run = NO_RUN] = TEXT.exec(text) ?? [];
  return id === undefined ? undefined : { run, id };
}
