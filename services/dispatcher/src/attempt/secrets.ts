import { replySecretContext } from '@sluice/credentials/reply-secret';
import { type Keyring, open } from '@sluice/credentials/seal';
import { subscriptionSecretContext } from '@sluice/credentials/subscription-secret';
import type { PublishedSubscription } from '@sluice/mailboxes/published-subscription';
import { messageKey } from '@sluice/signature/standard-webhooks';
import { channelOf } from '@sluice/subscriptions/reply-id';

/** The keys that sign for a subscription, newest first. Empty if the keyring cannot open any. */
export type SigningKeys = (subscription: PublishedSubscription, now: number) => readonly Uint8Array[];

/** Opened secrets that are kept. Opening one costs about as much as signing. */
const MOST_KEPT = 10_000;

/**
 * Opens sealed secrets and keeps them, because a busy subscription signs thousands of messages. They are kept as strings: a small
 * Buffer is a slice of a pool of several KiB, and would keep all of it in memory.
 */
export function createSigningKeys(keyring: Keyring): SigningKeys {
  const kept = new Map<string, string | null>();
  const keyFor = (context: string, sealed: string): Uint8Array | null => {
    const known = kept.get(sealed);
    if (known !== undefined) return known === null ? null : Buffer.from(known, 'latin1');
    const opened = open(keyring, context, sealed);
    const key = opened.status === 'opened' ? messageKey(opened.secret) : null;
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(sealed, key === null ? null : key.toString('latin1'));
    return key;
  };
  return ({ kind, subscription_id, secrets }, now) => {
    const context =
      kind === 'reply'
        ? replySecretContext(channelOf(subscription_id))
        : subscriptionSecretContext(subscription_id);
    return secrets
      .filter(({ expires_at }) => expires_at === null || expires_at > now)
      .flatMap(({ sealed }) => keyFor(context, sealed) ?? []);
  };
}
