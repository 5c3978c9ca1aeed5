import type { Redis } from 'ioredis';

/** Shorter than the time-out of a Redis command (1 s), so that Redis says how many there were. */
const WAIT_MS = 800;

/**
 * Resolves once `replicas` Redis replicas hold all that this connection has written; rejects when fewer do in time.
 * What was written stays written: the sender is told to send again, and the repetition has no second effect.
 */
export async function waitForReplicas(redis: Redis, replicas: number): Promise<void> {
  if (replicas === 0) return;
  const held = await redis.wait(replicas, WAIT_MS);
  if (held < replicas)
    throw new Error(`${held} of ${replicas} Redis replicas hold the group after ${WAIT_MS} ms`);
}
