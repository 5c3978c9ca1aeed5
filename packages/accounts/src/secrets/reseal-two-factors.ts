import { type Keyring, open, seal, sealedWith } from '@sluice/credentials/seal';
import { totpContext } from '@sluice/credentials/totp-context';
import type { TwoFactors } from '@sluice/store/users/two-factors';
import type { Unopened } from './reseal-secrets.ts';

export interface TwoFactorsResealed {
  readonly resealed: number;
  readonly alreadyCurrent: number;
  readonly unreadable: readonly { readonly user_id: string; readonly opened: Unopened }[];
}

/** Seals the key of every second factor with the current key. Run it again if it was interrupted. */
export async function resealTwoFactors({
  twoFactors,
  keyring,
}: {
  readonly twoFactors: Pick<TwoFactors, 'listSealedKeys' | 'resealKey'>;
  readonly keyring: Keyring;
}): Promise<TwoFactorsResealed> {
  let resealed = 0;
  let alreadyCurrent = 0;
  const unreadable: { user_id: string; opened: Unopened }[] = [];
  for (const { user_id, sealed_key } of await twoFactors.listSealedKeys()) {
    const context = totpContext(user_id);
    const isCurrent = sealedWith(sealed_key) === keyring.current.id;
    const opened = open(keyring, context, sealed_key);
    if (isCurrent) alreadyCurrent += 1;
    else if (opened.status !== 'opened') unreadable.push({ user_id, opened });
    // If it was turned off or set up again meanwhile, there is nothing to reseal.
    else if (await twoFactors.resealKey(user_id, sealed_key, seal(keyring, context, opened.secret)))
      resealed += 1;
  }
  return { resealed, alreadyCurrent, unreadable };
}
