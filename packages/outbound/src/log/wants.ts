import type { LogFit } from '@sluice/store/outbound/fitting-changes';
import type { OutboundChange } from '@sluice/store/outbound/outbound-changes';
import type { EarlierEvents } from '@sluice/store/subscriptions/subscription-document';
import type { PublishedSubscription } from '../queue/published-subscription.ts';
import { asksFor, isWithin, kindsAsked } from './matches.ts';

type Asked = Pick<PublishedSubscription, 'events' | 'filter' | 'earlier'>;

/** Pure. The kinds and the filter of a subscription that hold for a number of the log. */
export function eventsAt({ events, filter, earlier = [] }: Asked, number: number): Omit<EarlierEvents, 'to'> {
  return earlier.find(({ to }) => number <= to) ?? { events, filter };
}

/** Pure. What was asked for up to a number, and nothing afterwards. */
export function askedUntil(
  asked: Asked,
  to: number,
): Pick<Asked, 'events' | 'filter'> & { readonly earlier: readonly EarlierEvents[] } {
  const earlier = (asked.earlier ?? []).filter((one) => one.to < to);
  return { earlier: [...earlier, { to, ...eventsAt(asked, to) }], events: [], filter: {} };
}

/** Pure. Whether a subscription gets a change of the log. */
export function wants(
  subscription: Pick<PublishedSubscription, 'kind' | 'events' | 'filter' | 'earlier' | 'created_at'>,
  change: Omit<OutboundChange, 'text' | 'number'> & { readonly number: number },
): boolean {
  if (change.at < subscription.created_at) return false;
  const { events, filter } = eventsAt(subscription, change.number);
  return wantsKind({ kind: subscription.kind, events }, change.kind) && isWithin(filter, change);
}

/** Pure. A reply goes to its channel only: a bot would answer its own replies. */
export function wantsKind(
  { kind, events }: Pick<PublishedSubscription, 'kind' | 'events'>,
  changeKind: string,
): boolean {
  return kind === 'reply' ? changeKind === 'conversation.reply' : asksFor({ events }, changeKind);
}

/** Pure. The changes that a subscription gets, for queries of the log. */
export function logFitOf(subscription: PublishedSubscription): LogFit {
  const { kind, earlier = [], events, filter, created_at } = subscription;
  const parts = [...earlier, { to: Number.MAX_SAFE_INTEGER, events, filter }];
  return {
    since: created_at,
    parts: parts.map((part, n) => ({
      ...{ after: parts[n - 1]?.to ?? Number.MIN_SAFE_INTEGER, upTo: part.to, filter: part.filter },
      kinds: kind === 'reply' ? ['conversation.reply'] : kindsAsked(part),
    })),
  };
}
