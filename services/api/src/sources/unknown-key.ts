import { type KeyFitDeps, keyFit, whyUnknownKey } from '@sluice/management/key-fit';
import { type Refusal, refuse } from '../http/result.ts';

/**
 * The refusal to seal a secret with a key that opens none of the installation's: every ingress would answer the sender
 * that is given it with 503. undefined: the key is known, or there is nothing yet that it could be known by.
 */
export async function refuseUnknownKey(deps: KeyFitDeps): Promise<Refusal | undefined> {
  if ((await keyFit(deps)) !== 'unknown_key') return undefined;
  return refuse(
    'conflict',
    `Nothing was changed: this API has another key than the sources. ${whyUnknownKey(deps.keyring)}`,
  );
}
