import { type ChangeKind, SUBSCRIBABLE_KINDS } from '@sluice/contract/message/event-kinds';
import type { Subscription, SubscriptionFilter } from '@sluice/store/subscriptions/subscription-document';

/** The values that filters of subscriptions compare. */
export type FilteredValues = Readonly<Partial<Record<keyof SubscriptionFilter, string | undefined>>>;

/** Whether a webhook subscription asks for a kind of change. */
export function asksFor({ events }: Pick<Subscription, 'events'>, kind: string): boolean {
  if (kind === 'conversation.reply' || kind === 'webhook.test') return false;
  return events.includes('*') || events.includes(kind);
}

/** The kinds of changes that a webhook subscription asks for. */
export function kindsAsked(asked: Pick<Subscription, 'events'>): readonly ChangeKind[] {
  return SUBSCRIBABLE_KINDS.filter((kind) => asksFor(asked, kind));
}

/** Whether a change has all values of a filter. */
export function isWithin(
  { source_id, channel_id, stage }: SubscriptionFilter,
  change: FilteredValues,
): boolean {
  return (
    (source_id === undefined || source_id === change.source_id) &&
    (channel_id === undefined || channel_id === change.channel_id) &&
    (stage === undefined || stage === change.stage)
  );
}

/** Whether a subscription asks for changes of events. */
export function asksForEvents({ events }: Pick<Subscription, 'events'>): boolean {
  return events.some((kind) => kind === '*' || kind.startsWith('event.'));
}
