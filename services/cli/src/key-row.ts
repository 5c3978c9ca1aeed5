import { formatInstant } from '@sluice/contract/instant';
import type { ApiKey } from '@sluice/store/accounts/api-keys';
import type { Row } from './output.ts';

/** The row of an API key for `key list` and `key revoke`. Only the key's hash is stored, so it can't be shown. */
export function keyRow(key: ApiKey): Row {
  return {
    key_id: key.key_id,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes,
    account_id: key.account_id,
    created_at: formatInstant(key.created_at),
    expires_at: formatted(key.expires_at),
    revoked_at: formatted(key.revoked_at),
    last_used_at: formatted(key.last_used_at),
  };
}

function formatted(epochMs: number | null): string | null {
  return epochMs === null ? null : formatInstant(epochMs);
}
