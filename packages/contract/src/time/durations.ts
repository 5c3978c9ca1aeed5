/** Lengths of time in milliseconds. */
export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Lengths of time in seconds, the unit of Redis's EXPIRE and MongoDB's TTL indexes. */
export const HOUR_SECONDS = 3600;
export const DAY_SECONDS = 24 * HOUR_SECONDS;

/** A second in microseconds, the unit of the clock in Redis's scripts. */
export const SECOND_US = 1_000_000;
