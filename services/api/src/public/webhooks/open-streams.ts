import { createStreams } from '@sluice/outbound/queue/streams';
import type { Shards } from '@sluice/redis/shards/shards';
import type { Redis } from 'ioredis';
import { type Refusal, refuse } from '../../http/result.ts';

/** The streams of messages that are open in this process. */
export interface OpenStreams {
  /** Adds an open stream. Returns a function that removes it. `end` is called when the process stops. */
  add(end: () => void): () => void;
  /** Ends all, and every one that is added later. Their clients connect to another API server. */
  close(): void;
}

function createOpenStreams(): OpenStreams {
  const ends = new Set<() => void>();
  let closed = false;
  return {
    add(end) {
      ends.add(end);
      // The caller has not begun its stream yet.
      if (closed) setImmediate(end);
      return () => void ends.delete(end);
    },
    close() {
      closed = true;
      for (const end of [...ends]) end();
      ends.clear();
    },
  };
}

/** The parts of the streams of one API server. */
export function connectStreams<T>({
  redis,
  shards,
  ...rest
}: T & { readonly redis: Redis; readonly shards: Shards }) {
  return {
    streams: createStreams({ redis, shards }),
    openStreams: createOpenStreams(),
    takeStreamPlace: createStreamLimit(),
    ...rest,
  };
}

interface StreamLimits {
  readonly perSubscription: number;
  readonly perKey: number;
  readonly perProcess: number;
}

/** Each stream uses a connection, and reads Redis several times a second. */
const STREAM_LIMITS: StreamLimits = { perSubscription: 5, perKey: 20, perProcess: 1000 };

/** Reserves a place for a stream, or returns why there is none. Calling `leave` frees the place. */
export type TakePlace = (who: {
  readonly subscriptionId: string;
  readonly keyId: string;
}) => { readonly leave: () => void } | Refusal;

/** Counts the open streams of this process. */
export function createStreamLimit(limits: StreamLimits = STREAM_LIMITS): TakePlace {
  const bySubscription = new Map<string, number>();
  const byKey = new Map<string, number>();
  let all = 0;
  return ({ subscriptionId, keyId }) => {
    if ((bySubscription.get(subscriptionId) ?? 0) >= limits.perSubscription)
      return refuse('rate_limited', tooMany('This subscription', limits.perSubscription), AGAIN);
    if ((byKey.get(keyId) ?? 0) >= limits.perKey)
      return refuse('rate_limited', tooMany('This API key', limits.perKey), AGAIN);
    if (all >= limits.perProcess)
      return refuse('unavailable', FULL, { ...AGAIN, reason: 'too_many_streams' });
    all += 1;
    count(bySubscription, subscriptionId, 1);
    count(byKey, keyId, 1);
    let left = false;
    return {
      leave() {
        if (left) return;
        left = true;
        all -= 1;
        count(bySubscription, subscriptionId, -1);
        count(byKey, keyId, -1);
      },
    };
  };
}

const AGAIN = { retryAfterSeconds: 10 };
const FULL = 'This API server has reached its limit of open streams. Try again in a minute.';

function tooMany(who: string, count: number): string {
  return `${who} has ${count} streams open, which is the limit. Close one, then try again.`;
}

function count(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const now = (counts.get(key) ?? 0) + by;
  if (now === 0) counts.delete(key);
  else counts.set(key, now);
}
