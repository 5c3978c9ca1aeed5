import { type Keyring, sealedByAny } from '@sluice/credentials/seal';
import type { Sources } from '@sluice/store/sources/sources';

/** Stored secrets that were sealed with keys of this installation. */
export type SealedSecrets = Pick<Sources, 'hasSealed'>;

export interface KeyFitDeps {
  readonly sources: SealedSecrets;
  /** For a process that signs for webhook subscriptions. */
  readonly subscriptionSecrets?: SealedSecrets;
  readonly keyring: Keyring;
}

/** Whether the keys of a process can open at least one secret of this installation. */
export type KeyFit = 'fits' | 'no_secrets' | 'unknown_key';

/**
 * One secret is enough: during a key change, or after a lost key, some secrets are sealed with another key. A process
 * that opens none has the wrong key. It can verify or sign nothing, and no other process can open what it seals.
 */
export async function keyFit({ sources, subscriptionSecrets, keyring }: KeyFitDeps): Promise<KeyFit> {
  const kinds = [sources, ...(subscriptionSecrets === undefined ? [] : [subscriptionSecrets])];
  const fits = await Promise.all(kinds.map((kind) => fitOf(kind, keyring)));
  if (fits.includes('fits')) return 'fits';
  return fits.includes('unknown_key') ? 'unknown_key' : 'no_secrets';
}

async function fitOf(secrets: SealedSecrets, keyring: Keyring): Promise<KeyFit> {
  // The order matters: a secret that is stored in between is sealed with the right key.
  if (!(await secrets.hasSealed())) return 'no_secrets';
  return (await secrets.hasSealed(sealedByAny(keyring))) ? 'fits' : 'unknown_key';
}

/** Tells the operator how to fix a key that opens no secret. Contains only the key's fingerprint, never the key. */
export function whyUnknownKey({
  keyring: { current },
  subscriptionSecrets,
}: Pick<KeyFitDeps, 'keyring' | 'subscriptionSecrets'>): string {
  const signs = subscriptionSecrets !== undefined;
  return (
    `SLUICE_SECRET_KEY (fingerprint ${current.id}) opens the signing secret of no source${signs ? ' and of no webhook subscription' : ''}. ` +
    'Start with the key that they were encrypted with (npm start keeps its own in the file secret-key of DATA_DIR); or, if it is lost, ' +
    `rotate the secret of each source: sluice source rotate-secret ID --lost-key${signs ? ', and of each webhook subscription: sluice webhook rotate-secret ID' : ''}.`
  );
}
