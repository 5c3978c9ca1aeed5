import type { SubscriptionInput } from '@sluice/contract/subscription/subscription';
import { SUBSCRIPTION_MAX } from '@sluice/contract/subscription/subscription-limits';
import type { ApiKey } from '@sluice/store/accounts/api-keys';
import { isLiveKey } from '@sluice/store/accounts/live-key';
import type { Subscription, SubscriptionSecret } from '@sluice/store/subscriptions/subscription-document';
import { afterLostRace } from '@sluice/store/writing/after-lost-race';
import { awaitForce, writeEdit } from './change-guarded.ts';
import { findUnknownInFilter, type UnknownInFilter } from './check-filter.ts';
import type { SubscriptionDeps } from './deps.ts';
import { handOverIfReplaced } from './hand-over.ts';
import { isPresent } from './life.ts';
import { nextVersion } from './next-version.ts';
import { pausedForKey } from './pause-for-key.ts';
import {
  type IfMatch,
  isAsRead,
  newSubscription,
  planCreate,
  type WantedSubscription,
} from './plan-create.ts';
import { currentSecret, newSecret } from './secrets.ts';
import { placesLeft } from './subscription-limit.ts';
import { underFence } from './under-fence.ts';
import { isTestUrl, urlKey } from './url-key.ts';

interface CreateRequest {
  readonly accountId: string;
  /** The key that subscribes. Absent: an admin does, and the subscription belongs to the account. */
  readonly key?: CreatingKey;
  readonly input: SubscriptionInput;
  /** The id of the subscription, if none has the URL. */
  readonly newId: string;
  /** The URL must have a subscription with one of these versions (If-Match). */
  readonly ifMatch?: IfMatch | undefined;
}

export type SubscriptionCreated =
  /** `created`: new, or deleted by this key before. `taken_over`: another key had made it. */
  | {
      readonly status: 'created' | 'existing' | 'taken_over';
      readonly subscription: Subscription;
      readonly secret: string;
      /** false: it was so already. */
      readonly changed: boolean;
    }
  | { readonly status: 'url_refused'; readonly code: string; readonly detail: string }
  | UnknownInFilter
  | { readonly status: 'limit_reached'; readonly limit: number }
  /** An admin's create: a living key has subscribed the URL. An admin changes that subscription instead. */
  | { readonly status: 'url_taken'; readonly subscription: Subscription }
  /** `key_revoked`: the key was revoked meanwhile. `changed_meanwhile`: no version of `ifMatch` is left. */
  | { readonly status: 'key_revoked' | 'changed_meanwhile' };

/** More than there can be concurrent creates of one URL. */
const TRIES = 200;

/**
 * Creates the subscription of a key, or of the account, to a URL. Idempotent: the same key and URL get the same subscription.
 * Concurrent creates make one. Throws if MongoDB or Redis fails; then repeat it.
 */
export async function createSubscription(
  deps: SubscriptionDeps,
  request: CreateRequest,
): Promise<SubscriptionCreated> {
  const { accountId, key, input, newId, ifMatch } = request;
  const checked = await deps.checkTargetUrl(input.target_url, accountId);
  if (checked.outcome === 'refused')
    return { status: 'url_refused', code: checked.code, detail: checked.detail };
  const targetUrl = checked.url;
  const ephemeral = input.client?.mode === 'test' || isTestUrl(targetUrl);
  const owner = await ownerOf(deps, key);
  const create: Create = {
    ...{ accountId, newId, urlKey: urlKey(targetUrl), ifMatch },
    wanted: { ...owner, input, targetUrl, ephemeral },
  };

  const existing = await deps.subscriptions.findByUrl(create.accountId, create.urlKey);
  if (!isAsRead(existing, create, deps.now())) return { status: 'changed_meanwhile' };
  const unknown = await findUnknownInFilter(deps, accountId, input.filter, existing?.filter);
  if (unknown !== undefined) return unknown;
  const plan = existing && planFor(deps, existing, create.wanted);
  // A repeat of a create that pauses must not succeed before the pause is in force.
  if (plan?.does === 'nothing' && (existing?.paused === undefined || (await awaitForce(deps, accountId))))
    return answer(deps, 'existing', existing as Subscription, false);
  const created = await underFence(deps, accountId, (touched) => write(deps, create, touched));
  // A rotation hands over what it finds. Of a rotation and a create at the same time, one sees the other's write.
  if (key?.key_id === owner.keyId && 'secret' in created) await handOverIfReplaced(deps, key.key_id);
  return created;
}

/** A create, after its checks. */
interface Create {
  readonly accountId: string;
  readonly newId: string;
  readonly urlKey: string;
  readonly wanted: WantedSubscription;
  readonly ifMatch?: CreateRequest['ifMatch'];
  /** The secret of a new subscription. Default: a random one. */
  readonly secret?: SubscriptionSecret;
}

async function write(
  deps: SubscriptionDeps,
  create: Create,
  touched: Set<string>,
): Promise<SubscriptionCreated> {
  for (let round = 0; round < TRIES; round++) {
    const tried = await tryOnce(deps, create, touched);
    if (tried !== 'again') return tried;
    await afterLostRace(round);
  }
  throw new Error(`the subscription of a URL of ${create.accountId} kept changing`);
}

async function tryOnce(
  deps: SubscriptionDeps,
  create: Create,
  touched: Set<string>,
): Promise<SubscriptionCreated | 'again'> {
  const { subscriptions } = deps;
  const { accountId, wanted } = create;
  const existing = await subscriptions.findByUrl(accountId, create.urlKey);
  if (!isAsRead(existing, create, deps.now())) return { status: 'changed_meanwhile' };
  // What was revoked by now changes nothing.
  if ((await revokedOf(deps, wanted)).length > 0) return { status: 'key_revoked' };
  if (existing === undefined) return insertSubscription(deps, create, touched);
  const plan = planFor(deps, existing, wanted);
  touched.add(existing.subscription_id);
  switch (plan.does) {
    case 'replace':
      await subscriptions.removeSubscription(existing);
      return 'again';
    case 'nothing':
      return answer(deps, 'existing', existing, false);
    case 'refuse':
      return { status: 'url_taken', subscription: existing };
    case 'revive':
    case 'change':
    case 'take_over': {
      // Neither a deleted one nor a test counts yet.
      const addsOne = (plan.does === 'revive' || existing.ephemeral) && !wanted.ephemeral;
      if (addsOne && (await placesLeft(deps, accountId)) <= 0) return limitReached(deps);
      const subscription = await nextVersion(deps, existing, plan.next);
      if ((await subscriptions.replaceSubscription(subscription)) !== 'replaced') return 'again';
      return unlessRevoked(deps, subscription, wanted, STATUS[plan.does]);
    }
  }
}

const STATUS = { revive: 'created', change: 'existing', take_over: 'taken_over' } as const;

/** Inserts a new subscription. Call it under a fence. `again`: the URL or the id has one already. */
export async function insertSubscription(
  deps: SubscriptionDeps,
  create: Create,
  touched: Set<string>,
): Promise<SubscriptionCreated | 'again'> {
  const { accountId, newId: subscriptionId, wanted } = create;
  if (!wanted.ephemeral && (await placesLeft(deps, accountId)) <= 0) return limitReached(deps);
  const secret = create.secret ?? newSecret(deps.keyring, subscriptionId, deps.now());
  const at = { now: deps.now(), secret };
  const subscription = newSubscription({ accountId, subscriptionId, urlKey: create.urlKey }, wanted, at);
  touched.add(subscriptionId);
  if ((await deps.subscriptions.insertSubscription(subscription)) === 'duplicate') return 'again';
  // Several may have found the last place free. All that see too many leave.
  if (!wanted.ephemeral && (await placesLeft(deps, accountId)) < 0) {
    await deps.subscriptions.removeSubscription(subscription);
    return limitReached(deps);
  }
  for (const id of await removeOldTests(deps, subscription)) touched.add(id);
  return unlessRevoked(deps, subscription, wanted, 'created');
}

/** A revocation pauses what it finds. Of a revocation and a create at the same time, one sees the other's write, and pauses it. */
async function unlessRevoked(
  deps: SubscriptionDeps,
  subscription: Subscription,
  wanted: WantedSubscription,
  status: 'created' | 'existing' | 'taken_over',
): Promise<SubscriptionCreated> {
  const revoked = await revokedOf(deps, wanted);
  if (revoked.length === 0) return answer(deps, status, subscription);
  const { account_id, subscription_id } = subscription;
  await writeEdit(deps, account_id, subscription_id, (current) =>
    current.key_id !== null && revoked.includes(current.key_id)
      ? pausedForKey(current, 'key_revoked', deps.now())
      : 'unchanged',
  );
  return { status: 'key_revoked' };
}

/**
 * The revoked ones of the keys that a create is made with: that of the owner, and the one that it replaces and that asked. An
 * admin has no key.
 */
async function revokedOf(
  { apiKeys }: Pick<SubscriptionDeps, 'apiKeys'>,
  { keyId, replacedKeyId }: WantedSubscription,
): Promise<readonly string[]> {
  const keys = [keyId, replacedKeyId].filter((id) => id !== null && id !== undefined);
  const found = await Promise.all(keys.map((id) => apiKeys.findApiKey(id)));
  return keys.filter((_, at) => found[at]?.revoked_at !== null);
}

function planFor({ keyring, now }: SubscriptionDeps, existing: Subscription, wanted: WantedSubscription) {
  const readable = currentSecret(keyring, existing) !== undefined;
  const secret = newSecret(keyring, existing.subscription_id, now());
  return planCreate(existing, wanted, { now: now(), secret, readable });
}

/** The outcome with the current secret. Throws if no key opens it. */
export function answer(
  { keyring }: SubscriptionDeps,
  status: 'created' | 'existing' | 'taken_over',
  subscription: Subscription,
  changed = true,
): SubscriptionCreated {
  const secret = currentSecret(keyring, subscription);
  if (secret === undefined) throw new Error(`the secret of ${subscription.subscription_id} is unreadable`);
  return { status, subscription, secret, changed };
}

function limitReached({ subscriptionLimit: limit }: SubscriptionDeps): SubscriptionCreated {
  return { status: 'limit_reached', limit };
}

/** Editors leave their tests behind. The oldest ones beyond the limit end, so that a new test always works. */
async function removeOldTests(
  { subscriptions, now }: SubscriptionDeps,
  { ephemeral, account_id }: Subscription,
): Promise<readonly string[]> {
  if (!ephemeral) return [];
  const own = await subscriptions.listSubscriptions(account_id);
  const tests = own.filter((one) => one.ephemeral && isPresent(one, now()));
  const old = tests.slice(0, Math.max(0, tests.length - SUBSCRIPTION_MAX.ephemeral));
  for (const one of old) await subscriptions.removeSubscription(one);
  return old.map(({ subscription_id }) => subscription_id);
}

/** The key that asks for a create. */
type CreatingKey = Pick<ApiKey, 'key_id' | 'expires_at' | 'replaced_by'>;

/**
 * The owner of what a key subscribes. A key that was rotated subscribes for the key that replaces it. Otherwise a client that still
 * has the old key would take its subscriptions back, and they would end with that key. Throws if MongoDB fails.
 */
async function ownerOf(
  { apiKeys, now }: Pick<SubscriptionDeps, 'apiKeys' | 'now'>,
  key: CreatingKey | undefined,
): Promise<Pick<WantedSubscription, 'keyId' | 'keyExpiresAt' | 'replacedKeyId'>> {
  if (key === undefined) return { keyId: null, keyExpiresAt: null };
  const { key_id: keyId, expires_at: keyExpiresAt, replaced_by } = key;
  const successor = replaced_by === undefined ? undefined : await apiKeys.findApiKey(replaced_by);
  if (successor === undefined || !isLiveKey(successor, now())) return { keyId, keyExpiresAt };
  return { keyId: successor.key_id, keyExpiresAt: successor.expires_at, replacedKeyId: keyId };
}
