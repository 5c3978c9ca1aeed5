import { showSecret } from '@sluice/accounts/secrets/show-secret';
import type { Keyring } from '@sluice/credentials/seal';
import { whyUnopened } from '@sluice/credentials/why-unopened';
import type { Source } from '@sluice/store/sources/source';
import { failed } from './exit-codes.ts';

export const LOST_KEY = '--lost-key';
export const LOST_KEY_HELP =
  'continue with a SLUICE_SECRET_KEY that opens no existing secret, because the previous key is lost';

/**
 * Fails unless the key opens an existing secret, which shows that it is the services' key. If a secret were sealed with
 * another key, every ingress would respond to its requests with 503, and only the ingress log would name the cause.
 */
export function expectKnownKey(keyring: Keyring, source: Source | undefined): void {
  if (source === undefined) return;
  const opened = showSecret(keyring, source);
  if (opened.status !== 'unknown_key') return;
  throw failed(
    `${source.source_id}: ${whyUnopened(opened)} Nothing was changed. If the ingress and the API server use this key and the previous key is lost, add ${LOST_KEY}.`,
  );
}
