import type { Redis } from 'ioredis';

/** Shorter than the time-out of a Redis command (1 s), so that Redis says how many there were. */
const WAIT_MS = 800;

/** Resolves once so many Redis replicas hold what was enqueued; rejects when fewer do in time, as the ingress does. */
export async function waitForReplicas(redis: Redis, replicas: number): Promise<void> {
  if (replicas === 0) return;
  const reached = await redis.wait(replicas, WAIT_MS);
  if (reached < replicas)
    throw new Error(`Command timed out: ${reached} of ${replicas} Redis replicas hold the action`);
}
