import type { Subscription } from '@sluice/store/subscription-document';

/** The values that filters of subscriptions compare. */
export interface MatchedChange {
  readonly kind: string;
  readonly source_id?: string | undefined;
  readonly channel_id?: string | undefined;
  readonly stage?: string | undefined;
}

/** Whether a subscription asks for a change: one of its kinds, and all values of its filter. */
export function matches(
  { events, filter }: Pick<Subscription, 'events' | 'filter'>,
  change: MatchedChange,
): boolean {
  if (change.kind === 'conversation.reply' || change.kind === 'webhook.test') return false;
  if (!events.includes('*') && !events.includes(change.kind)) return false;
  const { source_id, channel_id, stage } = filter;
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
