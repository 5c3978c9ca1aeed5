import { SUBSCRIPTION_MAX } from '@sluice/contract/subscription/subscription-limits';
import type { Keyring } from '@sluice/credentials/seal';
import {
  newSubscriptionSecret,
  openSubscriptionSecret,
  sealSubscriptionSecret,
} from '@sluice/credentials/subscription-secret';
import type { Subscription, SubscriptionSecret } from '@sluice/store/subscriptions/subscription-document';

/** A new secret for a subscription, sealed. */
export function newSecret(keyring: Keyring, subscriptionId: string, now: number): SubscriptionSecret {
  const sealed = sealSubscriptionSecret(keyring, subscriptionId, newSubscriptionSecret());
  return { sealed, created_at: now };
}

/** The current secret; undefined if no key of the keyring can open it. */
export function currentSecret(
  keyring: Keyring,
  { subscription_id, secrets }: Pick<Subscription, 'subscription_id' | 'secrets'>,
): string | undefined {
  const opened = openSubscriptionSecret(keyring, subscription_id, secrets[0]?.sealed ?? '');
  return opened.status === 'opened' ? opened.secret : undefined;
}

/**
 * The secrets after a rotation, newest first. The replaced one signs too until the overlap ends, and so do those of earlier
 * rotations whose overlap has not ended. Without an overlap all older ones end. The oldest ones beyond three are dropped.
 */
export function rotated(
  secrets: readonly SubscriptionSecret[],
  next: SubscriptionSecret,
  overlapMs: number,
): readonly SubscriptionSecret[] {
  const now = next.created_at;
  const until = now + overlapMs;
  if (overlapMs === 0) return [next];
  // A shorter overlap takes nothing from an earlier one: receivers were promised that.
  const older = secrets
    .map((one) => ({ ...one, expires_at: one.expires_at ?? until }))
    .filter(({ expires_at }) => expires_at > now);
  return [next, ...older].slice(0, SUBSCRIPTION_MAX.secrets);
}
