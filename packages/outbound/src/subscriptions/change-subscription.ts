import { isDeepStrictEqual } from 'node:util';
import type { SubscriptionPatch } from '@sluice/contract/subscription/subscription';
import { EPHEMERAL_MS } from '@sluice/contract/subscription/subscription-limits';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { afterLostRace } from '@sluice/store/writing/after-lost-race';
import { type Edited, editSubscription } from './change-guarded.ts';
import { findUnknownInFilter, type UnknownInFilter } from './check-filter.ts';
import type { SubscriptionDeps } from './deps.ts';
import { hasSamePause, isDeadKey, isPresent, type KeyReach } from './life.ts';
import { isFull, isOverfull } from './subscription-limit.ts';
import { isTestUrl, urlKey } from './url-key.ts';

export interface ChangeRequest {
  readonly accountId: string;
  readonly subscriptionId: string;
  /** A key changes only what it reaches. Absent: an admin changes it. */
  readonly keyId?: KeyReach;
  readonly patch: SubscriptionPatch;
  /** The version must be one of these (If-Match). */
  readonly ifMatch?: readonly number[] | undefined;
}

export type SubscriptionChanged =
  | { readonly status: 'changed' | 'unchanged'; readonly subscription: Subscription }
  | { readonly status: 'not_found' | 'changed_meanwhile' | 'url_taken' }
  | { readonly status: 'url_refused'; readonly code: string; readonly detail: string }
  | UnknownInFilter
  /** A test would become permanent, and the account has as many subscriptions as it may have. */
  | { readonly status: 'limit_reached'; readonly limit: number };

/** More than there can be tests that go live at the same time. */
const TRIES = 20;

/**
 * Changes a subscription by a merge patch. Once it resolves, no attempt by its previous state can begin. Throws if MongoDB or
 * Redis fails.
 */
export async function changeSubscription(
  deps: SubscriptionDeps,
  request: ChangeRequest,
): Promise<SubscriptionChanged> {
  for (let round = 0; round < TRIES; round++) {
    const changed = await changeOnce(deps, request);
    if (changed !== 'again') return changed;
    await afterLostRace();
  }
  return { status: 'limit_reached', limit: deps.subscriptionLimit };
}

/** `again`: a test went live together with others, and was taken back, because they were too many. */
async function changeOnce(
  deps: SubscriptionDeps,
  { accountId, subscriptionId, keyId, patch, ifMatch }: ChangeRequest,
): Promise<SubscriptionChanged | 'again'> {
  const current = await deps.subscriptions.findSubscription(accountId, subscriptionId);
  if (current === undefined || !isReached(current, keyId, deps.now())) return { status: 'not_found' };
  const checked =
    patch.target_url === undefined ? undefined : await deps.checkTargetUrl(patch.target_url, accountId);
  if (checked?.outcome === 'refused')
    return { status: 'url_refused', code: checked.code, detail: checked.detail };
  const unknown = await findUnknownInFilter(deps, accountId, patch.filter, current.filter);
  if (unknown !== undefined) return unknown;
  const by = { isAdmin: keyId === undefined, url: checked?.url };
  const planned = patched(current, patch, { ...by, asked: current, now: deps.now() });
  if (current.ephemeral && planned !== 'unchanged' && !planned.ephemeral && (await isFull(deps, accountId)))
    return { status: 'limit_reached', limit: deps.subscriptionLimit };
  let stop: 'not_found' | 'changed_meanwhile' | undefined;
  let before = current;
  const edited = await editSubscription(deps, accountId, subscriptionId, (now, asked) => {
    before = now;
    stop = !isReached(now, keyId, deps.now())
      ? 'not_found'
      : ifMatch?.includes(now.version) === false
        ? 'changed_meanwhile'
        : undefined;
    return stop === undefined ? patched(now, patch, { ...by, asked, now: deps.now() }) : 'unchanged';
  });
  if (stop !== undefined) return { status: stop };
  return (await takenBack(deps, before, edited)) ? 'again' : changedOf(edited);
}

/** A test that went live is a test again, if several have found the last place free. */
async function takenBack(deps: SubscriptionDeps, before: Subscription, edited: Edited): Promise<boolean> {
  if (edited.status !== 'changed' || !before.ephemeral || edited.subscription.ephemeral) return false;
  const { account_id, subscription_id, version } = edited.subscription;
  if (!(await isOverfull(deps, account_id))) return false;
  await editSubscription(deps, account_id, subscription_id, (now) =>
    now.version === version ? before : 'unchanged',
  );
  return true;
}

/** Whether the caller sees it. Every other one is not found. */
export function isReached(subscription: Subscription, keyId: KeyReach | undefined, now: number): boolean {
  if (!isPresent(subscription, now)) return false;
  return (
    keyId === undefined || (subscription.key_id !== null && [keyId].flat().includes(subscription.key_id))
  );
}

function changedOf(edited: Edited): SubscriptionChanged {
  switch (edited.status) {
    case 'changed':
    case 'unchanged':
      return { status: edited.status, subscription: edited.subscription };
    case 'removed':
    case 'not_found':
      return { status: 'not_found' };
    case 'url_taken':
      return { status: 'url_taken' };
  }
}

interface Patching {
  readonly isAdmin: boolean;
  readonly url: string | undefined;
  /** The state when the change was asked for. */
  readonly asked: Subscription;
  readonly now: number;
}

/** Pure. The state after a merge patch. */
function patched(
  current: Subscription,
  patch: SubscriptionPatch,
  { url, now, ...by }: Patching,
): Subscription | 'unchanged' {
  const { paused, expires_at, ...rest } = current;
  const client = patch.client === undefined ? rest.client : merged(rest.client ?? {}, patch.client);
  const target_url = url ?? rest.target_url;
  const ephemeral = client?.mode === 'test' || isTestUrl(target_url);
  const pause = pauseAfter(current, patch.active, by, now);
  const ends = isDeadKey(current) ? expires_at : ephemeral ? testEnd(current, now) : undefined;
  const next: Subscription = {
    ...rest,
    target_url,
    url_key: urlKey(target_url),
    events: patch.events ?? rest.events,
    name: patch.name === undefined ? rest.name : patch.name || null,
    ordered: patch.ordered ?? rest.ordered,
    filter: patch.filter === undefined ? rest.filter : (merged(rest.filter, patch.filter) ?? {}),
    client,
    ephemeral,
    ...(pause !== undefined && { paused: pause }),
    ...(ends !== undefined && { expires_at: ends }),
  };
  if (isDeepStrictEqual(next, current)) return 'unchanged';
  return { ...next, updated_at: now };
}

function testEnd({ ephemeral, expires_at }: Subscription, now: number): number {
  return (ephemeral ? expires_at : undefined) ?? now + EPHEMERAL_MS;
}

/** Nobody resumes a subscription of a dead key: an admin adopts it. A client does not lift an admin's pause. */
function pauseAfter(
  current: Subscription,
  active: boolean | undefined,
  { isAdmin, asked }: Pick<Patching, 'isAdmin' | 'asked'>,
  now: number,
) {
  const { paused } = current;
  if (active === undefined || isDeadKey(current)) return paused;
  if (paused?.reason === 'by_admin' && !isAdmin) return paused;
  if (active) return hasSamePause(current, asked) ? undefined : paused;
  const reason = isAdmin ? 'by_admin' : 'by_client';
  return paused?.reason === reason ? paused : ({ reason, at: now } as const);
}

/** RFC 7396, for an object of texts: null and an empty text remove a field. null: nothing is left. */
function merged<T extends object>(before: T, patch: object | null): T | null {
  if (patch === null) return null;
  const entries = Object.entries({ ...before, ...patch });
  return Object.fromEntries(
    entries.filter(([, value]) => value !== undefined && value !== null && value !== ''),
  ) as T;
}
