import { isDeepStrictEqual } from 'node:util';
import type { SubscriptionPatch } from '@sluice/contract/subscription/subscription';
import { EPHEMERAL_MS } from '@sluice/contract/subscription/subscription-limits';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { type Edit, editReached } from './change-guarded.ts';
import { findUnknownInFilter, type UnknownInFilter } from './check-filter.ts';
import type { EditDeps, SubscriptionDeps } from './deps.ts';
import { findReached, type Reached } from './find-reached.ts';
import { hasSamePause, isDeadKey } from './life.ts';
import { placesLeft } from './subscription-limit.ts';
import { isTestUrl, urlKey } from './url-key.ts';

export interface ChangeRequest extends Reached {
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

export type ChangedByAdmin =
  | { readonly status: 'changed' | 'unchanged'; readonly subscription: Subscription }
  | { readonly status: 'not_found' };

/**
 * Changes a subscription by a merge patch. Once it resolves, no attempt by its previous state can begin. Throws if MongoDB or
 * Redis fails.
 */
export async function changeSubscription(
  deps: SubscriptionDeps,
  { patch, ...asked }: ChangeRequest,
): Promise<SubscriptionChanged> {
  const { accountId, keyId } = asked;
  const current = await findReached(deps, asked);
  if (current === undefined) return { status: 'not_found' };
  const checked =
    patch.target_url === undefined ? undefined : await deps.checkTargetUrl(patch.target_url, accountId);
  if (checked?.outcome === 'refused')
    return { status: 'url_refused', code: checked.code, detail: checked.detail };
  const unknown = await findUnknownInFilter(deps, accountId, patch.filter, current.filter);
  if (unknown !== undefined) return unknown;
  const by = { isAdmin: keyId === undefined, url: checked?.url };
  const planned = patched(current, patch, { ...by, asked: current, now: deps.now() });
  const goesLive = current.ephemeral && planned !== 'unchanged' && !planned.ephemeral;
  if (goesLive && (await placesLeft(deps, accountId)) <= 0)
    return { status: 'limit_reached', limit: deps.subscriptionLimit };
  const edit: Edit = (now, before) => patched(now, patch, { ...by, asked: before, now: deps.now() });
  return changedOf(await editReached(deps, asked, edit));
}

/** Pauses a subscription. Its messages wait. Only an admin lifts this pause. */
export function pauseByAdmin(deps: EditDeps, accountId: string, subscriptionId: string) {
  return switchByAdmin(deps, { accountId, subscriptionId }, (current, asked) =>
    patched(current, { active: false }, { isAdmin: true, asked, now: deps.now() }),
  );
}

/** Lifts any pause but that of a dead key, which an admin lifts by adopting the subscription. What waits is sent. */
export function resumeByAdmin(deps: EditDeps, accountId: string, subscriptionId: string) {
  return switchByAdmin(deps, { accountId, subscriptionId }, (current, asked) =>
    patched(current, { active: true }, { isAdmin: true, asked, now: deps.now() }),
  );
}

/**
 * Takes the subscription of a revoked or expired key over for the account, so that it is sent again. No key can change it
 * then. A create of a key with its URL takes it over from the account.
 */
export function adoptByAdmin(deps: EditDeps, accountId: string, subscriptionId: string) {
  return switchByAdmin(deps, { accountId, subscriptionId }, (current) => {
    if (!isDeadKey(current)) return 'unchanged';
    const { paused: _, expires_at: __, key_expires_at: ___, ...next } = current;
    return { ...next, key_id: null, updated_at: deps.now() };
  });
}

async function switchByAdmin(deps: EditDeps, asked: Reached, edit: Edit): Promise<ChangedByAdmin> {
  const edited = await editReached(deps, asked, edit);
  return edited.status === 'changed' || edited.status === 'unchanged' ? edited : { status: 'not_found' };
}

function changedOf(edited: Awaited<ReturnType<typeof editReached>>): SubscriptionChanged {
  return edited.status === 'removed' ? { status: 'not_found' } : edited;
}

interface Patching {
  readonly isAdmin: boolean;
  readonly url?: string | undefined;
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
