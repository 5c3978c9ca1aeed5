import type { PauseReason } from '@sluice/contract/subscription/subscription';
import {
  type DocumentOf,
  storedRecord,
  type WithDates,
  withDates,
  withTimes,
} from '../writing/stored-record.ts';

/** A secret that signs messages. Times are milliseconds since the Unix epoch. */
export interface SubscriptionSecret {
  readonly sealed: string;
  readonly created_at: number;
  /** It signs until then, because a newer one has replaced it. Absent for the current one. */
  readonly expires_at?: number;
}

export interface SubscriptionPause {
  readonly reason: PauseReason;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** A sentence about what happened. */
  readonly detail?: string;
  /** When the owners were informed by mail. */
  readonly told_at?: number;
  /** An admin had paused it before its key was revoked or expired. A create by another key leaves it paused. */
  readonly by_admin_before?: true;
}

/** A change must have all of these values. */
export interface SubscriptionFilter {
  readonly source_id?: string;
  readonly channel_id?: string;
  readonly stage?: string;
}

/** What a subscription asked for before an edit. */
export interface EarlierEvents {
  /** It holds for changes up to this number of the log of the account (outbound/outbound-changes.ts). */
  readonly to: number;
  readonly events: readonly string[];
  readonly filter: SubscriptionFilter;
}

/** The platform and the flow that subscribed, as they named themselves. */
export interface SubscriptionClient {
  readonly platform?: string;
  readonly workflow_name?: string;
  readonly workflow_url?: string;
  readonly mode?: 'test' | 'live';
}

/** A webhook subscription. Times are milliseconds since the Unix epoch. */
export interface Subscription {
  readonly subscription_id: string;
  readonly account_id: string;
  /** The key that made it. null: it belongs to the account, because an admin has created or adopted it. */
  readonly key_id: string | null;
  /** When that key expires; absent: never. */
  readonly key_expires_at?: number;
  /** When another owner had it last. Its messages from before are not sent again for the present owner. */
  readonly taken_over_at?: number;
  /** Written as by WHATWG. */
  readonly target_url: string;
  /** A hash of `target_url`, unique in the account. */
  readonly url_key: string;
  readonly name: string | null;
  /** Event kinds, or `*`. */
  readonly events: readonly string[];
  readonly ordered: boolean;
  readonly filter: SubscriptionFilter;
  /** In the order of their numbers. Absent: its cursor has passed the changes from before the last edit. */
  readonly earlier?: readonly EarlierEvents[];
  /** The version from which its receiver starts again: what was known of its failures before does not count. */
  readonly fresh_from?: number;
  readonly client: SubscriptionClient | null;
  /** A test in the editor of a platform. It has `expires_at`. */
  readonly ephemeral: boolean;
  readonly paused?: SubscriptionPause;
  /** Newest first. */
  readonly secrets: readonly SubscriptionSecret[];
  /** Starts at 1. Each change adds 1. */
  readonly version: number;
  readonly created_at: number;
  readonly updated_at: number;
  /** A tombstone: its key deleted it then, and can revive it until `expires_at`. */
  readonly deleted_at?: number;
  /** When it is removed. Compare it: the removal comes later. */
  readonly expires_at?: number;
}

const SUBSCRIPTION = storedRecord<Subscription>()('subscription_id', [
  'key_expires_at',
  'taken_over_at',
  'created_at',
  'updated_at',
  'deleted_at',
  'expires_at',
]);
const PAUSE_TIMES = ['at', 'told_at'] as const;
const SECRET_TIMES = ['created_at', 'expires_at'] as const;

export interface SubscriptionDocument extends Omit<DocumentOf<typeof SUBSCRIPTION>, 'paused' | 'secrets'> {
  readonly paused?: WithDates<SubscriptionPause, (typeof PAUSE_TIMES)[number]>;
  readonly secrets: readonly WithDates<SubscriptionSecret, (typeof SECRET_TIMES)[number]>[];
}

export function toDocument(subscription: Subscription): SubscriptionDocument {
  const { paused, secrets, ...document } = SUBSCRIPTION.toDocument(subscription);
  return {
    ...document,
    ...(paused !== undefined && { paused: withDates(paused, PAUSE_TIMES) }),
    secrets: secrets.map((secret) => withDates(secret, SECRET_TIMES)),
  };
}

export function fromDocument({ paused, secrets, ...document }: SubscriptionDocument): Subscription {
  return SUBSCRIPTION.fromDocument({
    ...document,
    ...(paused !== undefined && {
      paused: withTimes(paused, PAUSE_TIMES),
    }),
    secrets: secrets.map((secret) => withTimes(secret, SECRET_TIMES)),
  });
}
