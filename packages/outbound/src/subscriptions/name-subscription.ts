import type { Subscription } from '@sluice/store/subscriptions/subscription-document';

/** How a person recognises a subscription: its name, its workflow, or the host of its URL. */
export function nameSubscription({
  name,
  client,
  target_url,
}: Pick<Subscription, 'name' | 'client' | 'target_url'>): string {
  return name ?? client?.workflow_name ?? new URL(target_url).host;
}
