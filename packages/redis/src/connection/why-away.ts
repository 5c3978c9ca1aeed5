import type { Redis } from 'ioredis';

/** The last error of each connection that is away, such as a refusal in Redis's words. */
const REASONS = new WeakMap<Redis, string>();

/** Notes why a connection is away; undefined: it is back. */
export function noteAway(redis: Redis, reason: string | undefined): void {
  if (reason === undefined) REASONS.delete(redis);
  else REASONS.set(redis, reason);
}

/** Why this connection is away, in Redis's words if it refused the connection; undefined: it is not, or never was there. */
export const whyAway = (redis: Redis): string | undefined => REASONS.get(redis);

/** Rejects if Redis does not answer, with the reason of a lost connection instead of the sentence of the library. */
export async function pingRedis(redis: Redis): Promise<void> {
  await redis.ping().catch((error: Error) => {
    throw new Error(whyAway(redis) ?? error.message, { cause: error });
  });
}
