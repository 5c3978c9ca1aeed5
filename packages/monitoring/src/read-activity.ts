import { DAY_MS, HOUR_MS, MINUTE_MS } from '@sluice/contract/time/durations';
import type { Keyspace } from '@sluice/redis/keyspace';
import { repliesOf } from '@sluice/redis/replies-of';
import type { Redis } from 'ioredis';
import { spanOf } from './activity.ts';

/** All counters of one slot of time, by name. */
export interface ActivitySlot {
  /** Start of the minute or hour, milliseconds since the Unix epoch. */
  readonly at: number;
  readonly counts: ReadonlyMap<string, number>;
}

export interface ActivityReader {
  /** The non-empty slots of a scope since `from`: minutes (26 hours back) or hours (32 days back). */
  read(scope: string, unit: 'minutes' | 'hours', from: number, to: number): Promise<readonly ActivitySlot[]>;
  /** The number of clients of a scope since the hour of `from` (26 hours back). The error is up to 1 % for large numbers. */
  countClients(scope: string, from: number, to: number): Promise<number>;
  /** When each source last had a delivery; null if that is unknown. */
  lastDeliveries(sourceIds: readonly string[]): Promise<readonly (number | null)[]>;
}

/** Reads the counters of `createActivity`: one hash for each hour or day, in one pipeline. */
export function createActivityReader({
  redis,
  keyspace,
}: {
  redis: Redis;
  keyspace: Keyspace;
}): ActivityReader {
  return {
    async read(scope, unit, from, to) {
      const [span, spanMs, slotMs] =
        unit === 'minutes' ? (['h', HOUR_MS, MINUTE_MS] as const) : (['d', DAY_MS, HOUR_MS] as const);
      const starts = startsOf(spanMs, from, to);
      const pipeline = redis.pipeline();
      for (const start of starts) pipeline.hgetall(keyspace.activity(scope, spanOf(start, span)));
      const replies = await repliesOf(pipeline);
      const slots = replies.flatMap((hash, index) =>
        slotsOf(hash as Record<string, string>, starts[index] as number, slotMs),
      );
      return slots.filter(({ at }) => at + slotMs > from && at < to);
    },
    countClients(scope, from, to) {
      const hours = startsOf(HOUR_MS, from, to).map((at) => keyspace.clients(scope, spanOf(at, 'h')));
      return redis.pfcount(...(hours as [string, ...string[]]));
    },
    async lastDeliveries(sourceIds) {
      if (sourceIds.length === 0) return [];
      const found = await redis.hmget(keyspace.lastDelivery, ...sourceIds);
      return found.map((text) => (text === null ? null : Number(text)));
    },
  };
}

/** The starts of the hours or days in a period. */
function startsOf(spanMs: number, from: number, to: number): number[] {
  const starts: number[] = [];
  for (let start = Math.floor(from / spanMs) * spanMs; start < to; start += spanMs) starts.push(start);
  return starts;
}

function slotsOf(hash: Readonly<Record<string, string>>, start: number, slotMs: number): ActivitySlot[] {
  const slots = new Map<number, Map<string, number>>();
  for (const [field, count] of Object.entries(hash)) {
    const bar = field.indexOf('|');
    const at = start + Number(field.slice(0, bar)) * slotMs;
    const counts = slots.get(at) ?? new Map<string, number>();
    counts.set(field.slice(bar + 1), Number(count));
    slots.set(at, counts);
  }
  return [...slots].map(([at, counts]) => ({ at, counts })).sort((a, b) => a.at - b.at);
}
