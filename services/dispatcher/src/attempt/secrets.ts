import { replySecretContext } from '@sluice/credentials/reply-secret';
import { type Keyring, type Opened, open } from '@sluice/credentials/seal';
import { subscriptionSecretContext } from '@sluice/credentials/subscription-secret';
import { whyReplySecretUnopened, whySubscriptionSecretUnopened } from '@sluice/credentials/why-unopened';
import type { PublishedSubscription } from '@sluice/outbound/queue/published-subscription';
import { channelOf } from '@sluice/outbound/subscriptions/reply-id';
import { createLineBudget } from '@sluice/runtime/telemetry/line-budget';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import { messageKey } from '@sluice/signature/standard-webhooks';

/** The keys that sign for a subscription, newest first. Empty if the keyring cannot open any. */
export type SigningKeys = (subscription: PublishedSubscription, now: number) => readonly Uint8Array[];

/** Opened secrets that are kept. Opening one costs about as much as signing. */
const MOST_KEPT = 10_000;

type Unopened = Exclude<Opened, { readonly status: 'opened' }>;

/** Called when a secret cannot be opened: once for each secret that is kept. */
export type OnSealed = (subscription: PublishedSubscription, unopened: Unopened) => void;

/**
 * Opens sealed secrets and keeps them, because a busy subscription signs thousands of messages. They are kept as strings: a small
 * Buffer is a slice of a pool of several KiB, and would keep all of it in memory.
 */
export function createSigningKeys(keyring: Keyring, onSealed: OnSealed): SigningKeys {
  const kept = new Map<string, string | null>();
  const keyFor = (subscription: PublishedSubscription, sealed: string): Uint8Array | null => {
    const known = kept.get(sealed);
    if (known !== undefined) return known === null ? null : Buffer.from(known, 'latin1');
    const opened = open(keyring, contextOf(subscription), sealed);
    const key = opened.status === 'opened' ? messageKey(opened.secret) : null;
    if (opened.status !== 'opened') onSealed(subscription, opened);
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(sealed, key === null ? null : key.toString('latin1'));
    return key;
  };
  return (subscription, now) =>
    subscription.secrets
      .filter(({ expires_at }) => expires_at === null || expires_at > now)
      .flatMap(({ sealed }) => keyFor(subscription, sealed) ?? []);
}

function contextOf({ kind, subscription_id }: PublishedSubscription): string {
  return kind === 'reply'
    ? replySecretContext(channelOf(subscription_id))
    : subscriptionSecretContext(subscription_id);
}

/** After a lost key no secret can be opened. */
const LINES_PER_SECOND = 10;

/** Logs secrets that no key opens, with the remedy. `unlogged` is the number of omitted lines. */
export function createSealedLog(logger: Pick<Logger, 'error'>): OnSealed {
  const lines = createLineBudget({ perSecond: LINES_PER_SECOND });
  return ({ account_id, subscription_id, kind }, unopened) => {
    const taken = lines.take();
    if (taken === undefined) return;
    const { status } = unopened;
    const why = kind === 'reply' ? whyReplySecretUnopened(unopened) : whySubscriptionSecretUnopened(unopened);
    logger.error({ event: 'subscription.sealed', account_id, subscription_id, status, ...taken }, why);
  };
}
