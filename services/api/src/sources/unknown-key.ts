import { type KeyFitDeps, keyFit, whyUnknownKey } from '@sluice/accounts/keys/key-fit';
import { type Refusal, refuse } from '../http/result.ts';

/**
 * Rejects sealing a secret with a key that opens no secret of the installation: every ingress would then respond to
 * that sender with 503. undefined: the key is right, or there is no secret yet to check it with.
 */
export async function refuseUnknownKey(deps: KeyFitDeps): Promise<Refusal | undefined> {
  if ((await keyFit(deps)) !== 'unknown_key') return undefined;
  return refuse(
    'conflict',
    `Nothing was changed. This API server has a different key than the sources. ${whyUnknownKey({ keyring: deps.keyring })}`,
  );
}
