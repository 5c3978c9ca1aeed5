import { DAY_MS } from '../time/durations.ts';

/** Limits of webhook subscriptions. Texts are counted in Unicode code points. */
export const SUBSCRIPTION_MAX = {
  target_url: 2000,
  name: 200,
  events: 50,
  event: 100,
  filter: 100,
  platform: 50,
  workflow_name: 200,
  workflow_url: 2000,
  /** Ephemeral subscriptions of an account. They do not count towards the account's limit. */
  ephemeral: 20,
  /** Secrets that sign at the same time. */
  secrets: 3,
} as const;

/** A test in the editor of a platform ends after this time. Milliseconds. */
export const EPHEMERAL_MS = 600_000;
/** A subscription that a connected program reads ends this long after its last connection. Milliseconds. */
export const STREAM_MS = 75_000;
/** How long the key that deleted a subscription can revive it. Milliseconds. */
export const TOMBSTONE_MS = 600_000;
/** How long the subscriptions of a revoked or expired key are kept. Milliseconds. */
export const DEAD_KEY_MS = 30 * DAY_MS;

/** What waits for a subscription is counted up to this. */
export const WAITING_COUNTED = 10_000;

export const SECRET_OVERLAPS = { none: 0, '1h': 3_600_000, '24h': 86_400_000 } as const;
export type SecretOverlap = keyof typeof SECRET_OVERLAPS;
