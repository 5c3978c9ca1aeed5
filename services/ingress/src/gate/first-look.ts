import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Gate } from './gate.ts';

export interface FirstLookDeps {
  readonly gate: Pick<Gate, 'closed'>;
  readonly redis: Pick<Redis, 'status' | 'once' | 'off'>;
  /** The longest wait for a Redis that accepts a connection and does not respond. Milliseconds; default 5,000. */
  readonly withinMs?: number;
}

const LONGEST_MS = 5_000;
const LOOK_MS = 10;

/**
 * Resolves after the first poll of Redis, or once Redis is known to be away. A replica that listened earlier would respond
 * with 503 to requests that another replica on the same port could accept.
 */
export async function firstLook({ gate, redis, withinMs = LONGEST_MS }: FirstLookDeps): Promise<void> {
  const deadline = performance.now() + withinMs;
  let away = redis.status === 'reconnecting' || redis.status === 'close' || redis.status === 'end';
  const onClose = () => {
    away = true;
  };
  redis.once('close', onClose);
  while (!away && gate.closed() === 'starting' && performance.now() < deadline) await sleep(LOOK_MS);
  redis.off('close', onClose);
}
