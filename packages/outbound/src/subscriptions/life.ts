import type { Subscription } from '@sluice/store/subscriptions/subscription-document';

/** Whether its time is over. It is removed later, so its time is compared. */
export function isExpired({ expires_at }: Pick<Subscription, 'expires_at'>, now: number): boolean {
  return expires_at !== undefined && expires_at <= now;
}

/** Whether clients and admins see it: it is neither deleted nor expired. */
export function isPresent(subscription: Subscription, now: number): boolean {
  return subscription.deleted_at === undefined && !isExpired(subscription, now);
}

/** The id of a key. Several: those of a key that was rotated, and of the key that replaces it. */
export type KeyReach = string | readonly string[];

/** Whether it counts towards the limit of the account. */
export function counts(subscription: Subscription, now: number): boolean {
  return isPresent(subscription, now) && !subscription.ephemeral;
}

/** Whether changes are kept for it: also while it is paused or deleted, but not for a dead key. */
export function collects(subscription: Subscription, now: number): boolean {
  const { key_expires_at } = subscription;
  if (isExpired(subscription, now)) return false;
  if (key_expires_at !== undefined && key_expires_at <= now) return false;
  return !isDeadKey(subscription);
}

/** Whether it has the pause that it had. A resume lifts no pause that began after the resume was asked for. */
export function hasSamePause(
  { paused }: Pick<Subscription, 'paused'>,
  { paused: before }: Pick<Subscription, 'paused'>,
): boolean {
  return paused?.reason === before?.reason && paused?.at === before?.at;
}

/** Whether it is paused because its key was revoked or has expired. */
export function isDeadKey({ paused }: Pick<Subscription, 'paused'>): boolean {
  return paused?.reason === 'key_revoked' || paused?.reason === 'key_expired';
}

/** When its key ended, so that it collects nothing; undefined while the key lives. Milliseconds since the Unix epoch. */
export function deadSince(
  { paused, key_expires_at }: Pick<Subscription, 'paused' | 'key_expires_at'>,
  now: number,
): number | undefined {
  const ends = [
    paused !== undefined && isDeadKey({ paused }) ? paused.at : [],
    key_expires_at !== undefined && key_expires_at <= now ? key_expires_at : [],
  ].flat();
  return ends.length === 0 ? undefined : Math.min(...ends);
}
