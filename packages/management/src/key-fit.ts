import { type Keyring, sealedByAny } from '@sluice/credentials/seal';
import type { Sources } from '@sluice/store/sources';

export interface KeyFitDeps {
  readonly sources: Pick<Sources, 'hasSealed'>;
  readonly keyring: Keyring;
}

/** Whether the keys of a process can open at least one signing secret of this installation. */
export type KeyFit = 'fits' | 'no_sources' | 'unknown_key';

/**
 * One secret is enough: during a key change, or after a lost key, some secrets are sealed with another key. A process
 * that opens none has the wrong key. It can verify no signature, and no other process can open what it seals.
 */
export async function keyFit({ sources, keyring }: KeyFitDeps): Promise<KeyFit> {
  // The order matters: a source created in between is sealed with the right key.
  if (!(await sources.hasSealed())) return 'no_sources';
  return (await sources.hasSealed(sealedByAny(keyring))) ? 'fits' : 'unknown_key';
}

/** Tells the operator how to fix a key that opens no secret. Contains only the key's fingerprint, never the key. */
export function whyUnknownKey({ current }: Keyring): string {
  return (
    `SLUICE_SECRET_KEY (fingerprint ${current.id}) opens the signing secret of no source. Start with the key that they ` +
    'were encrypted with (npm start keeps its own in the file secret-key of DATA_DIR); or, if it is lost, rotate the ' +
    'secret of each source: sluice source rotate-secret ID --lost-key.'
  );
}
