import type { RedisOptions } from 'ioredis';

/**
 * - `request`: somebody waits for the answer, so a command fails at once or within a second.
 * - `worker`: work must wait for Redis for as long as it takes (BullMQ demands it of its workers).
 */
export type RedisRole = 'request' | 'worker';

/** Without the one field whose declaration does not fit exact optional properties. */
export type Options = Omit<RedisOptions, 'replyMapping'>;
