import { type Keyring, type Opened, open } from '@sluice/credentials/seal';
import type { Source } from '@sluice/store/sources';

/** The signing secret of a source in clear text, for configuring its sender. */
export function showSecret(keyring: Keyring, source: Pick<Source, 'source_id' | 'sealed_secret'>): Opened {
  return open(keyring, source.source_id, source.sealed_secret);
}
