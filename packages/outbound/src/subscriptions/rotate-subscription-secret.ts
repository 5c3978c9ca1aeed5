import { SECRET_OVERLAPS, type SecretOverlap } from '@sluice/contract/subscription/subscription-limits';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { editReached } from './change-guarded.ts';
import type { SubscriptionDeps } from './deps.ts';
import type { Reached } from './find-reached.ts';
import { currentSecret, newSecret, rotated } from './secrets.ts';

export type SubscriptionSecretRotated =
  | { readonly status: 'rotated'; readonly subscription: Subscription; readonly secret: string }
  | { readonly status: 'not_found' };

/** Gives a subscription a new secret. During the overlap, messages are signed with the old one too. */
export async function rotateSubscriptionSecret(
  deps: SubscriptionDeps,
  { overlap = '24h', ...asked }: Reached & { readonly overlap?: SecretOverlap | undefined },
): Promise<SubscriptionSecretRotated> {
  const next = newSecret(deps.keyring, asked.subscriptionId, deps.now());
  const edited = await editReached(deps, asked, (current) => ({
    ...current,
    secrets: rotated(current.secrets, next, SECRET_OVERLAPS[overlap]),
    updated_at: deps.now(),
  }));
  if (edited.status !== 'changed') return { status: 'not_found' };
  const { subscription } = edited;
  return { status: 'rotated', subscription, secret: currentSecret(deps.keyring, subscription) as string };
}
