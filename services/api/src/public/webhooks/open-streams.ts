import { createStreams } from '@sluice/outbound/queue/streams';
import type { Shards } from '@sluice/redis/shards/shards';
import type { Redis } from 'ioredis';
import { createStreamLimit } from './stream-limit.ts';

/** The streams of messages that are open in this process. */
export interface OpenStreams {
  /** Adds an open stream. Returns a function that removes it. `end` is called when the process stops. */
  add(end: () => void): () => void;
  /** Ends all, and every one that is added later. Their clients connect to another API server. */
  close(): void;
}

export function createOpenStreams(): OpenStreams {
  const ends = new Set<() => void>();
  let closed = false;
  return {
    add(end) {
      if (closed) end();
      else ends.add(end);
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
