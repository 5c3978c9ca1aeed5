import { type Keyring, seal } from '@sluice/credentials/seal';
import { newSigningSecret } from '@sluice/credentials/signing-secret';
import type { Source } from '@sluice/store/sources';
import { type ChangeSourceDeps, changeSource } from './change-source.ts';

export interface RotateSecretDeps extends ChangeSourceDeps {
  readonly keyring: Keyring;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

export type SecretRotated =
  | { readonly status: 'rotated'; readonly source: Source; readonly signingSecret: string }
  | { readonly status: 'source_not_found' };

/** Replaces the signing secret, by a new one unless one is given that was shown to the admin beforehand. The old one is worth nothing from the moment this resolves (service.md 3). */
export async function rotateSecret(
  deps: RotateSecretDeps,
  sourceId: string,
  signingSecret = newSigningSecret(),
): Promise<SecretRotated> {
  const result = await changeSource(deps, sourceId, {
    sealed_secret: seal(deps.keyring, sourceId, signingSecret),
    secret_rotated_at: deps.now(),
  });
  if (result.status === 'source_not_found') return result;
  return { status: 'rotated', source: result.source, signingSecret };
}
