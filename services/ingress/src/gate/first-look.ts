import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Gate } from './gate.ts';

export interface FirstLookDeps {
  readonly gate: Pick<Gate, 'closed'>;
  readonly redis: Pick<Redis, 'status' | 'once' | 'off'>;
  /** Milliseconds; default 5,000. A Redis that takes a connection and answers nothing is waited for no longer. */
  readonly withinMs?: number;
}

const LONGEST_MS = 5_000;
const LOOK_MS = 10;

/**
 * Resolves once Redis has been looked at, or it is known that it cannot be. A replica that listened before would answer
 * 503 to what one beside it, on the same port, would have taken.
 */
export async function firstLook({ gate, redis, withinMs = LONGEST_MS }: FirstLookDeps): Promise<void> {
  const deadline = performance.now() + withinMs;
  let away = redis.status === 'reconnecting' || redis.status === 'close' || redis.status === 'end';
  const onClose = () => {
    away = true;
  };
  redis.once('close', onClose);
  while (!away && gate.closed() === 'starting' && performance.now() < deadline) await pause(LOOK_MS);
  redis.off('close', onClose);
}
