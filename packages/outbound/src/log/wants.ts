import type { OutboundChange } from '@sluice/store/outbound/outbound-changes';
import type { EarlierEvents } from '@sluice/store/subscriptions/subscription-document';
import type { PublishedSubscription } from '../queue/published-subscription.ts';
import { asksFor, isWithin } from '../subscriptions/matches.ts';

/** Pure. The kinds and the filter of a subscription that hold for a number of the log. */
export function eventsAt(
  { events, filter, earlier = [] }: Pick<PublishedSubscription, 'events' | 'filter' | 'earlier'>,
  number: number,
): Omit<EarlierEvents, 'to'> {
  return earlier.find(({ to }) => number <= to) ?? { events, filter };
}

/** Pure. Whether a subscription gets a change of the log. */
export function wants(
  subscription: Pick<PublishedSubscription, 'kind' | 'events' | 'filter' | 'earlier' | 'created_at'>,
  change: Omit<OutboundChange, 'text' | 'number'> & { readonly number: number },
): boolean {
  if (change.at < subscription.created_at) return false;
  const { events, filter } = eventsAt(subscription, change.number);
  if (subscription.kind === 'reply') return change.kind === 'conversation.reply' && isWithin(filter, change);
  return asksFor({ events }, change.kind) && isWithin(filter, change);
}
