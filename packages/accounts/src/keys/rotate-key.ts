import type { Accounts } from '@sluice/store/accounts/accounts';
import type { ApiKey, ApiKeys } from '@sluice/store/accounts/api-keys';
import { isLiveKey } from '@sluice/store/accounts/live-key';
import { createKey } from './create-key.ts';

export interface RotateKeyDeps {
  readonly accounts: Pick<Accounts, 'findAccount'>;
  readonly apiKeys: Pick<ApiKeys, 'findApiKey' | 'listApiKeys' | 'insertApiKey' | 'endApiKey'>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

export interface KeyRotation {
  readonly keyId: string;
  /** How long the old key still works. 0: it stops working at once. Milliseconds. */
  readonly overlapMs: number;
  /** When the new key expires, or null for never. Milliseconds since the Unix epoch. Absent: when the old one did. */
  readonly expiresAt?: number | null;
  /**
   * Is given the new key before the old one ends, to show it and to hand over what the old one has. `key`: undefined if an interrupted
   * rotation has made it.
   */
  readonly onCreated: (key: string | undefined, apiKey: ApiKey) => Promise<void>;
}

export type KeyRotated =
  /** `old`: with the time of its end. `key`: the full new key, which is stored nowhere. */
  | { readonly status: 'rotated'; readonly key: string; readonly apiKey: ApiKey; readonly old: ApiKey }
  /** Completes a rotation that was interrupted between the new key and the end of the old one. */
  | { readonly status: 'completed'; readonly apiKey: ApiKey; readonly old: ApiKey }
  | { readonly status: 'key_not_found' }
  /** It was revoked, or has expired, and no live key has replaced it. So nothing can be using it. */
  | { readonly status: 'key_dead'; readonly old: ApiKey }
  /** A rotation has replaced it already, even if it has ended since. Its successor has what belonged to it. */
  | { readonly status: 'key_replaced'; readonly by: ApiKey };

/**
 * Replaces an API key by a new one with the same name and scopes. The old one works until the overlap ends. Throws if
 * MongoDB fails; then the old key still works, and a repeat completes the rotation.
 */
export async function rotateKey(
  deps: RotateKeyDeps,
  { keyId, overlapMs, expiresAt, onCreated }: KeyRotation,
): Promise<KeyRotated> {
  const { apiKeys, now } = deps;
  const old = await apiKeys.findApiKey(keyId);
  if (old === undefined) return { status: 'key_not_found' };
  // Before the check of the old key: an interrupted rotation may have ended it, and is repeated to hand over the rest.
  const by = old.replaced_by === undefined ? undefined : await apiKeys.findApiKey(old.replaced_by);
  if (by !== undefined && isLiveKey(by, now())) return { status: 'key_replaced', by };
  if (!isLiveKey(old, now())) return { status: 'key_dead', old };
  const end = async ({ key_id: replacedBy }: ApiKey): Promise<ApiKey> =>
    (await apiKeys.endApiKey(keyId, { at: now() + overlapMs, revoke: overlapMs === 0, replacedBy })) ?? old;
  const begun = await begunFor(deps, old);
  if (begun !== undefined) {
    await onCreated(undefined, begun);
    return { status: 'completed', apiKey: begun, old: await end(begun) };
  }
  const { account_id: accountId, name, scopes, expires_at } = old;
  const copy = { accountId, name, scopes, expiresAt: expiresAt === undefined ? expires_at : expiresAt };
  const made = await createKey(deps, { ...copy, replaces: keyId });
  if (made.status === 'account_not_found') return { status: 'key_not_found' };
  await onCreated(made.key, made.apiKey);
  return { status: 'rotated', key: made.key, apiKey: made.apiKey, old: await end(made.apiKey) };
}

/** The live key that an interrupted rotation has made to replace this one, or the key that has replaced that one since. */
async function begunFor(
  { apiKeys, now }: RotateKeyDeps,
  { key_id, account_id }: ApiKey,
): Promise<ApiKey | undefined> {
  const own = await apiKeys.listApiKeys({ account_id });
  const begun = own.findLast(({ replaces }) => replaces === key_id);
  const newest = own.find((one) => one.key_id === begun?.replaced_by) ?? begun;
  return newest !== undefined && isLiveKey(newest, now()) ? newest : undefined;
}
