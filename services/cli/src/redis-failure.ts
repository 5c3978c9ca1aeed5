import { isRedisAway, isRedisFull, isRedisUnable } from '@sluice/redis/connection/redis-away';

/** Says that Redis is full, away, or cannot execute a command now. Undefined: it is another error. */
export function redisFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message } = error;
  // Waiting does not help: main.ts has the advice.
  if (message.startsWith('NOPERM ')) return undefined;
  if (isRedisFull(error)) return `Redis is full (${message}). Give it more memory.`;
  if (isRedisUnable(error)) return `Redis cannot execute this now (${message}).`;
  return isRedisAway(error) ? `Redis stopped responding (${message}).` : undefined;
}
