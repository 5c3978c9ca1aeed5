import { type Keyring, sealedByAny } from '@sluice/credentials/seal';
import type { Sources } from '@sluice/store/sources';

export interface KeyFitDeps {
  readonly sources: Pick<Sources, 'hasSealed'>;
  readonly keyring: Keyring;
}

/** Whether the keys of a process open a signing secret of this installation, or none of those that there are. */
export type KeyFit = 'fits' | 'no_sources' | 'unknown_key';

/**
 * One secret is enough: while a key is changed, or after one was lost, some secrets are sealed with another. A process
 * that opens none has the key of somebody else: it can verify nobody, and what it seals nobody else can open.
 */
export async function keyFit({ sources, keyring }: KeyFitDeps): Promise<KeyFit> {
  // In this order: a source that is made in between has a secret of the right key.
  if (!(await sources.hasSealed())) return 'no_sources';
  return (await sources.hasSealed(sealedByAny(keyring))) ? 'fits' : 'unknown_key';
}

/** What an operator does about a key that opens nothing. Names no key, only its fingerprint. */
export function whyUnknownKey({ current }: Keyring): string {
  return (
    `SLUICE_SECRET_KEY (fingerprint ${current.id}) opens the signing secret of no source. Start with the key that they ` +
    'were encrypted with (npm start keeps its own in the file secret-key of DATA_DIR); or, if it is lost, rotate the ' +
    'secret of each source: sluice source rotate-secret ID --lost-key.'
  );
}
