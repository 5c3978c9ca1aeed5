import { SECRET_OVERLAPS, type SecretOverlap } from '@sluice/contract/subscription/subscription-limits';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { editSubscription } from './change-guarded.ts';
import { isReached } from './change-subscription.ts';
import type { SubscriptionDeps } from './deps.ts';
import type { KeyReach } from './life.ts';
import { currentSecret, newSecret, rotated } from './secrets.ts';

export type SubscriptionSecretRotated =
  | { readonly status: 'rotated'; readonly subscription: Subscription; readonly secret: string }
  | { readonly status: 'not_found' };

/** Gives a subscription a new secret. During the overlap, messages are signed with the old one too. */
export async function rotateSubscriptionSecret(
  deps: SubscriptionDeps,
  {
    accountId,
    subscriptionId,
    keyId,
    overlap = '24h',
  }: { accountId: string; subscriptionId: string; keyId?: KeyReach; overlap?: SecretOverlap | undefined },
): Promise<SubscriptionSecretRotated> {
  const next = newSecret(deps.keyring, subscriptionId, deps.now());
  const edited = await editSubscription(deps, accountId, subscriptionId, (current) =>
    isReached(current, keyId, deps.now())
      ? {
          ...current,
          secrets: rotated(current.secrets, next, SECRET_OVERLAPS[overlap]),
          updated_at: deps.now(),
        }
      : 'unchanged',
  );
  if (edited.status !== 'changed') return { status: 'not_found' };
  const { subscription } = edited;
  return { status: 'rotated', subscription, secret: currentSecret(deps.keyring, subscription) as string };
}
