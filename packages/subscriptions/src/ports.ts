import type { PauseReason } from '@sluice/contract/subscription';

/** A subscription as dispatchers read it in Redis. Times are milliseconds since the Unix epoch. */
export interface PublishedSubscription {
  readonly subscription_id: string;
  readonly account_id: string;
  readonly version: number;
  readonly kind: 'webhook' | 'reply';
  readonly target_url: string;
  readonly secrets: readonly { readonly sealed: string; readonly expires_at: number | null }[];
  readonly ordered: boolean;
  /** `deleted`: a tombstone. It collects, because its key can revive it. */
  readonly paused: PauseReason | 'deleted' | null;
  readonly key_expires_at: number | null;
  readonly ephemeral_until: number | null;
  /** A message that is older is not sent any more. */
  readonly give_up_after_ms: number | null;
}

export interface Publication {
  readonly put: readonly PublishedSubscription[];
  readonly remove: readonly string[];
  readonly wantsEvents: boolean;
}

/** A fence of the directory. */
export type Fence = { readonly token: string; readonly run: string };

/** What changes of subscriptions need of the directory in Redis. */
export interface DirectoryPort {
  fence(accountId: string): Promise<Fence>;
  publish(
    accountId: string,
    fence: Fence,
    publication: Publication,
  ): Promise<{ readonly leasesEndInMs: number }>;
}
