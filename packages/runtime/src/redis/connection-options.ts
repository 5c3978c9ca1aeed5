import type { RedisOptions } from 'ioredis';

/**
 * - `request`: a sender waits for the response, so a command fails at once or within a second.
 * - `worker`: a command waits for Redis without a limit, as BullMQ requires of its workers.
 */
export type RedisRole = 'request' | 'worker';

/** Omits the one field whose declaration conflicts with exact optional properties. */
export type Options = Omit<RedisOptions, 'replyMapping'>;
