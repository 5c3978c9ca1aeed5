import type { SubscriptionInput } from '@sluice/contract/subscription/subscription';
import { subscriptionTarget, webhookDeed } from './audited-change.ts';
import type { SubscriptionCreated } from './create-subscription.ts';
import type { SubscriptionDeps } from './deps.ts';
import { canonicalUrl, urlKey } from './url-key.ts';

/** The subscription that a create is about to make or to change, for the audit log. */
export interface CreateIntent {
  readonly action: 'webhook.created' | 'webhook.changed';
  readonly target: ReturnType<typeof subscriptionTarget>;
}

/** The intent of a create. Undefined: its URL is none, so it will be rejected. Throws if MongoDB fails. */
export async function createIntent(
  { subscriptions }: Pick<SubscriptionDeps, 'subscriptions'>,
  {
    accountId,
    input,
    newId,
  }: {
    readonly accountId: string;
    readonly input: Pick<SubscriptionInput, 'target_url' | 'name'>;
    readonly newId: string;
  },
): Promise<CreateIntent | undefined> {
  const target_url = canonicalUrl(input.target_url);
  if (!URL.canParse(target_url)) return undefined;
  const existing = await subscriptions.findByUrl(accountId, urlKey(target_url));
  if (existing !== undefined) {
    // An earlier request with the same Idempotency-Key has made it. They share one entry.
    const isOwn = existing.subscription_id === newId;
    const action = isOwn ? 'webhook.created' : 'webhook.changed';
    return { action, target: subscriptionTarget(existing) };
  }
  const target = subscriptionTarget({ subscription_id: newId, target_url, name: input.name ?? null });
  return { action: 'webhook.created', target };
}

/** What an admin's create has changed. Undefined: nothing. */
export function createdDeed(created: SubscriptionCreated): ReturnType<typeof webhookDeed> | undefined {
  if (!('secret' in created) || !created.changed) return undefined;
  const { status, subscription } = created;
  const action = status === 'created' ? 'webhook.created' : 'webhook.changed';
  return webhookDeed(action, subscription, subscription.events.join(', '));
}
