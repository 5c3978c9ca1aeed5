import type { LocalTime } from './local-time.ts';

/** Converts a local time of a time zone to an instant, in milliseconds since the Unix epoch. */
export type Zone = (local: LocalTime) => number;

export const UTC: Zone = (local) => local;
