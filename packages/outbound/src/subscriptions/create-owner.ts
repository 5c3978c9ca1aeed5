import type { ApiKey } from '@sluice/store/accounts/api-keys';
import { isLiveKey } from '@sluice/store/accounts/live-key';
import type { SubscriptionDeps } from './deps.ts';
import type { WantedSubscription } from './plan-create.ts';

/** The key that asks for a create. */
export type CreatingKey = Pick<ApiKey, 'key_id' | 'expires_at' | 'replaced_by'>;

/**
 * The owner of what a key subscribes. A key that was rotated subscribes for the key that replaces it. Otherwise a client that still
 * has the old key would take its subscriptions back, and they would end with that key. Throws if MongoDB fails.
 */
export async function ownerOf(
  { apiKeys, now }: Pick<SubscriptionDeps, 'apiKeys' | 'now'>,
  key: CreatingKey | undefined,
): Promise<Pick<WantedSubscription, 'keyId' | 'keyExpiresAt' | 'replacedKeyId'>> {
  if (key === undefined) return { keyId: null, keyExpiresAt: null };
  const { key_id: keyId, expires_at: keyExpiresAt, replaced_by } = key;
  const successor = replaced_by === undefined ? undefined : await apiKeys.findApiKey(replaced_by);
  if (successor === undefined || !isLiveKey(successor, now())) return { keyId, keyExpiresAt };
  return { keyId: successor.key_id, keyExpiresAt: successor.expires_at, replacedKeyId: keyId };
}
