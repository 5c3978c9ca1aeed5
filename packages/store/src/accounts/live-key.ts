import type { ApiKey } from './api-keys.ts';

/** Whether a key works at a time (milliseconds since the Unix epoch). */
export function isLiveKey(
  { revoked_at, expires_at }: Pick<ApiKey, 'revoked_at' | 'expires_at'>,
  now: number,
): boolean {
  return revoked_at === null && (expires_at === null || expires_at > now);
}
