import type { Opened } from './seal.ts';

/** Why a sealed signing secret cannot be read, and what an operator does about it. Names no key, only fingerprints. */
export function whyUnopened(opened: Exclude<Opened, { readonly status: 'opened' }>): string {
  switch (opened.status) {
    case 'unknown_key':
      return (
        `The signing secret was encrypted with another key (fingerprint ${opened.keyId}, unknown_key). Put that key ` +
        'into SLUICE_SECRET_KEYS_OLD and run sluice secrets reseal; or, if it is lost, rotate the secret of the source (sluice source rotate-secret ID --lost-key).'
      );
    case 'damaged':
      return 'The encrypted signing secret was changed since it was stored (damaged). Rotate the secret of the source.';
  }
}
