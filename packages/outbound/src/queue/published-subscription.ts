import type { EarlierEvents } from '@sluice/store/subscriptions/subscription-document';

/** Why a subscription is paused. The last three collect nothing, or nothing is delivered until it is revived. */
export type PauseReason = 'by_admin' | 'by_client' | 'failing' | 'key_revoked' | 'key_expired' | 'deleted';

/** A subscription as published to Redis. Dispatchers read it there, so that an attempt needs no MongoDB. */
export interface PublishedSubscription {
  readonly subscription_id: string;
  readonly account_id: string;
  /** Grows with every change of the subscription. An older version never replaces a newer one. */
  readonly version: number;
  readonly kind: 'webhook' | 'reply';
  readonly target_url: string;
  /** Newest first. `expires_at` is in milliseconds since the Unix epoch. */
  readonly secrets: readonly { readonly sealed: string; readonly expires_at: number | null }[];
  readonly ordered: boolean;
  /** Event kinds, or `*`. */
  readonly events: readonly string[];
  /** A change must have all of these values. */
  readonly filter: { readonly source_id?: string; readonly channel_id?: string; readonly stage?: string };
  /** What it asked for before it was edited, in the order of numbers (log/wants.ts). */
  readonly earlier?: readonly EarlierEvents[] | undefined;
  /** Failures under an older version do not count. */
  readonly fresh_from?: number | undefined;
  /** Milliseconds since the Unix epoch. It gets no change from before. */
  readonly created_at: number;
  /** `deleted` is a tombstone: it collects, because the same key can revive it. */
  readonly paused: PauseReason | null;
  /** Milliseconds since the Unix epoch, by Redis's clock. From then on it collects nothing and nothing is delivered. */
  readonly key_expires_at: number | null;
  /** Milliseconds since the Unix epoch, by Redis's clock. The end of an ephemeral subscription. */
  readonly ephemeral_until: number | null;
  /** Replies: 600000. Dispatchers read it. */
  readonly give_up_after_ms: number | null;
}

/** Pauses under which nothing is delivered. A `failing` one is probed once an hour. */
export function isStopped(paused: PauseReason | null): boolean {
  return paused !== null && paused !== 'failing';
}

/** What a subscription collects. */
export type CollectingSubscription = Pick<PublishedSubscription, 'kind' | 'events' | 'filter'>;
