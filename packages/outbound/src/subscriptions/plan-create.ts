import { isDeepStrictEqual } from 'node:util';
import { isStreamUrl } from '@sluice/contract/subscription/stream-url';
import type { SubscriptionInput } from '@sluice/contract/subscription/subscription';
import { EPHEMERAL_MS, STREAM_MS } from '@sluice/contract/subscription/subscription-limits';
import type { Subscription, SubscriptionSecret } from '@sluice/store/subscriptions/subscription-document';
import { isDeadKey, isExpired, isPresent } from './life.ts';

/** The versions that an If-Match has. `any`: it is `*`. */
export type IfMatch = readonly number[] | 'any';

/** A create, after its checks. */
export interface WantedSubscription {
  /** null: an admin creates it for the account. */
  readonly keyId: string | null;
  readonly keyExpiresAt: number | null;
  /** The key that subscribes for `keyId`, which replaces it. Its tombstones did not go over to that one. */
  readonly replacedKeyId?: string;
  readonly input: SubscriptionInput;
  /** The checked URL, as WHATWG writes it. */
  readonly targetUrl: string;
  readonly ephemeral: boolean;
}

/** The effect of a create on the subscription that has its URL. */
export type CreatePlan =
  /** It belongs to nobody any more: remove it, and create a new one. */
  | { readonly does: 'replace' }
  | { readonly does: 'nothing' }
  /** An admin takes over nothing that a living key has. */
  | { readonly does: 'refuse' }
  /** `revived`: it was deleted by this key. `taken_over`: another key had made it. */
  | { readonly does: 'change' | 'revive' | 'take_over'; readonly next: Subscription };

/** Pure. `secret` is used for a revived subscription, for one that is taken over, and for one whose secret is unreadable. */
export function planCreate(
  existing: Subscription,
  wanted: WantedSubscription,
  { now, secret, readable }: { now: number; secret: SubscriptionSecret; readable: boolean },
): CreatePlan {
  const own = isOwn(existing, wanted);
  const deleted = existing.deleted_at !== undefined;
  if (isExpired(existing, now) || (deleted && !own)) return { does: 'replace' };
  if (!own && wanted.keyId === null && !isDeadKey(existing)) return { does: 'refuse' };
  const keeps = own && !deleted && readable;
  const next: Subscription = {
    ...applied(existing, wanted, now),
    secrets: keeps ? existing.secrets : [secret],
  };
  if (deleted) return { does: 'revive', next };
  if (!own) return { does: 'take_over', next: { ...next, taken_over_at: now } };
  const { updated_at: _, ...before } = existing;
  const { updated_at: __, ...after } = next;
  return isDeepStrictEqual(before, after) ? { does: 'nothing' } : { does: 'change', next };
}

/**
 * Whether a create may go on: it has no If-Match, or it finds a version of its key that If-Match has. A deletion in between is no
 * such version, so the create does not undo it.
 */
export function isAsRead(
  existing: Subscription | undefined,
  asked: { readonly ifMatch?: IfMatch | undefined; readonly wanted: WantedSubscription },
  now: number,
): boolean {
  const { ifMatch, wanted } = asked;
  if (ifMatch === undefined) return true;
  if (existing === undefined || !isPresent(existing, now)) return false;
  return (ifMatch === 'any' || ifMatch.includes(existing.version)) && isOwn(existing, wanted);
}

function isOwn({ key_id }: Subscription, { keyId, replacedKeyId }: WantedSubscription): boolean {
  return [keyId, replacedKeyId].includes(key_id);
}

/** A new subscription. */
export function newSubscription(
  ids: { readonly subscriptionId: string; readonly accountId: string; readonly urlKey: string },
  wanted: WantedSubscription,
  { now, secret }: { now: number; secret: SubscriptionSecret },
): Subscription {
  const empty: Subscription = {
    subscription_id: ids.subscriptionId,
    account_id: ids.accountId,
    url_key: ids.urlKey,
    ...{ key_id: wanted.keyId, target_url: wanted.targetUrl, name: null, client: null, events: [] },
    ...{ ordered: false, filter: {}, ephemeral: false, version: 1, created_at: now, updated_at: now },
    secrets: [secret],
  };
  return applied(empty, wanted, now);
}

/** The next change would make a test of it again. */
function withoutTest(client: Subscription['client']): Subscription['client'] {
  if (client?.mode !== 'test') return client;
  const { mode: _, ...rest } = client;
  return Object.keys(rest).length > 0 ? rest : null;
}

/** A create states events, filter and whether it is active. What else it leaves out stays. No key lifts an admin's pause. */
function applied(existing: Subscription, wanted: WantedSubscription, now: number): Subscription {
  const { deleted_at: _, expires_at: __, paused, key_expires_at: ___, ...rest } = existing;
  const { input, ephemeral, keyId, keyExpiresAt } = wanted;
  const reason = keyId === null ? 'by_admin' : 'by_client';
  const own = paused?.reason === reason ? paused : ({ reason, at: now } as const);
  const byAdmin = paused?.by_admin_before ? ({ reason: 'by_admin', at: now } as const) : paused;
  const staysPaused = byAdmin?.reason === 'by_admin' && keyId !== null;
  const pause = staysPaused ? byAdmin : input.active ? undefined : own;
  const client = input.client ?? rest.client;
  return {
    ...rest,
    key_id: keyId,
    ...(keyExpiresAt !== null && { key_expires_at: keyExpiresAt }),
    events: input.events,
    filter: input.filter,
    name: input.name ?? rest.name,
    ordered: input.ordered ?? rest.ordered,
    client: ephemeral ? client : withoutTest(client),
    ephemeral,
    ...(pause !== undefined && { paused: pause }),
    ...(ephemeral && { expires_at: now + (isStreamUrl(wanted.targetUrl) ? STREAM_MS : EPHEMERAL_MS) }),
    updated_at: now,
  };
}
