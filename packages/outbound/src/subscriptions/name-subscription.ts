import { isStreamUrl } from '@sluice/contract/subscription/stream-url';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';

/** A subscription in the audit log. The path of a URL may be a secret, so the entry names only the host. */
export function subscriptionTarget({
  subscription_id: id,
  target_url,
  name,
}: Pick<Subscription, 'subscription_id' | 'target_url' | 'name'>): {
  readonly id: string;
  readonly name: string;
} {
  if (isStreamUrl(target_url)) return { id, name: name ?? 'sluice listen' };
  const { host } = new URL(target_url);
  return { id, name: name === null ? host : `${host} (${name})` };
}

/** How a person recognises a subscription: its name, its workflow, or the host of its URL. */
export function nameSubscription({
  name,
  client,
  target_url,
}: Pick<Subscription, 'name' | 'client' | 'target_url'>): string {
  return name ?? client?.workflow_name ?? new URL(target_url).host;
}
