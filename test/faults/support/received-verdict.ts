import type { ListedEvent } from '@sluice/store/events/listed-event';
import type { Received } from '../../dispatcher/support/receiver.ts';
import { brokenChains, type PublishedMessage } from './published-verdict.ts';

/** The violations among the messages that a receiver got, in words. An ordered receiver must get them in order. */
export function brokenDeliveries(
  received: readonly Received[],
  events: readonly ListedEvent[],
  { ordered }: { readonly ordered: boolean },
): string[] {
  const messages = firstOfEach(received).map(
    ({ id, body }) => ({ ...body, message_id: id }) as PublishedMessage & object,
  );
  return brokenChains(ordered ? messages : messages.sort((a, b) => a.sequence - b.sequence), events);
}

/** Each message when it arrived first. */
export function firstOfEach(received: readonly Received[]): Received[] {
  const first = new Map<string, Received>();
  for (const one of received) if (!first.has(one.id)) first.set(one.id, one);
  return [...first.values()];
}
