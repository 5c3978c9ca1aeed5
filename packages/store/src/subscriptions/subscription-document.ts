import type { PauseReason } from '@sluice/contract/subscription/subscription';

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

type OptionalTime = 'key_expires_at' | 'taken_over_at' | 'deleted_at' | 'expires_at';
type Times = 'created_at' | 'updated_at' | OptionalTime;

export interface SubscriptionDocument
  extends Omit<Subscription, 'subscription_id' | Times | 'paused' | 'secrets'> {
  readonly _id: string;
  readonly schema_version: 1;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly key_expires_at?: Date;
  readonly taken_over_at?: Date;
  readonly deleted_at?: Date;
  readonly expires_at?: Date;
  readonly paused?: Omit<SubscriptionPause, 'at' | 'told_at'> & {
    readonly at: Date;
    readonly told_at?: Date;
  };
  readonly secrets: readonly {
    readonly sealed: string;
    readonly created_at: Date;
    readonly expires_at?: Date;
  }[];
}

export function toDocument(subscription: Subscription): SubscriptionDocument {
  const { subscription_id, created_at, updated_at, paused, secrets, ...rest } = subscription;
  const { key_expires_at, taken_over_at, deleted_at, expires_at, ...fields } = rest;
  return {
    _id: subscription_id,
    schema_version: 1,
    ...fields,
    created_at: new Date(created_at),
    updated_at: new Date(updated_at),
    ...mapTimes({ key_expires_at, taken_over_at, deleted_at, expires_at }, (ms) => new Date(ms)),
    ...(paused !== undefined && { paused: pauseToDocument(paused) }),
    secrets: secrets.map((one) => ({
      sealed: one.sealed,
      created_at: new Date(one.created_at),
      ...(one.expires_at !== undefined && { expires_at: new Date(one.expires_at) }),
    })),
  };
}

export function fromDocument(document: SubscriptionDocument): Subscription {
  const { _id, schema_version: _, paused, secrets, ...rest } = document;
  const { created_at, updated_at, ...others } = rest;
  const { key_expires_at, taken_over_at, deleted_at, expires_at, ...fields } = others;
  return {
    subscription_id: _id,
    ...fields,
    created_at: created_at.getTime(),
    updated_at: updated_at.getTime(),
    ...mapTimes({ key_expires_at, taken_over_at, deleted_at, expires_at }, (date) => date.getTime()),
    ...(paused !== undefined && { paused: pauseFromDocument(paused) }),
    secrets: secrets.map((one) => ({
      sealed: one.sealed,
      created_at: one.created_at.getTime(),
      ...(one.expires_at !== undefined && { expires_at: one.expires_at.getTime() }),
    })),
  };
}

type PauseDocument = NonNullable<SubscriptionDocument['paused']>;

function pauseToDocument({ at, told_at, ...rest }: SubscriptionPause): PauseDocument {
  return { ...rest, at: new Date(at), ...(told_at !== undefined && { told_at: new Date(told_at) }) };
}

function pauseFromDocument({ at, told_at, ...rest }: PauseDocument): SubscriptionPause {
  return { ...rest, at: at.getTime(), ...(told_at !== undefined && { told_at: told_at.getTime() }) };
}

/** The times that are present, in another form. */
function mapTimes<From, To>(
  times: Readonly<Record<OptionalTime, From | undefined>>,
  map: (time: From) => To,
): { readonly [Name in OptionalTime]?: To } {
  const present = Object.entries(times).flatMap(([name, time]) =>
    time === undefined ? [] : [[name, map(time)] as const],
  );
  return Object.fromEntries(present);
}
