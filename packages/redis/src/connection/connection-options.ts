import type { RedisOptions } from 'ioredis';

/**
 * - `request`: a sender waits for the response, so a command fails at once or within a second.
 * - `worker`: a command waits for Redis without a limit, as BullMQ requires of its workers.
 * - `subscriber`: as `worker`, and its user subscribes after each `ready`. ioredis would do so without handling a refusal, which
 *   would end the process.
 */
export type RedisRole = 'request' | 'worker' | 'subscriber';

/** Omits the one field whose declaration conflicts with exact optional properties. */
export type Options = Omit<RedisOptions, 'replyMapping'>;
