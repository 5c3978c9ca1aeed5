import type { Keyring } from '@sluice/credentials/seal';
import { whyUnopened } from '@sluice/credentials/why-unopened';
import { showSecret } from '@sluice/management/show-secret';
import type { Source } from '@sluice/store/sources';
import { failed } from './exit-codes.ts';

export const LOST_KEY = '--lost-key';
export const LOST_KEY_ABOUT =
  'go on with a SLUICE_SECRET_KEY that opens no secret so far: the former is lost';

/**
 * A secret that is sealed with another key than the services have is answered 503 by every ingress, until somebody looks
 * into its log. So this key must open a secret that they are known to open.
 */
export function expectKnownKey(keyring: Keyring, source: Source | undefined): void {
  if (source === undefined) return;
  const opened = showSecret(keyring, source);
  if (opened.status !== 'unknown_key') return;
  throw failed(
    `${source.source_id}: ${whyUnopened(opened)} Nothing was changed. If this is the key of ingress and API and the former is lost, add ${LOST_KEY}.`,
  );
}
