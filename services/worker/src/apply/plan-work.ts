import { eventId } from '@sluice/contract/event-id';
import type { AdmittedAction } from '@sluice/contract/groups';
import type { EventWork } from './fold-event.ts';

/** Sorts the actions of a group by event, and within an event by sequence number. */
export function planWork(actions: readonly AdmittedAction[]): EventWork[] {
  const byEvent = new Map<string, AdmittedAction[]>();
  for (const action of actions) {
    const id = eventIdOf(action);
    const siblings = byEvent.get(id);
    if (siblings === undefined) byEvent.set(id, [action]);
    else siblings.push(action);
  }
  return [...byEvent].map(([event_id, siblings]) => toWork(event_id, siblings));
}

/** The event that an admitted action is about. */
export function eventIdOf({ source_id, action }: AdmittedAction): string {
  return eventId(source_id, action.identity);
}

function toWork(event_id: string, siblings: readonly AdmittedAction[]): EventWork {
  // A repeated request carries the sequence number of the first, and the same action: one of them is enough.
  const bySequence = new Map(siblings.map((admitted) => [admitted.sequence, admitted]));
  const actions = [...bySequence.values()].sort((a, b) => a.sequence - b.sequence);
  const { source_id, account_id, action } = siblings[0] as AdmittedAction;
  return { event_id, source_id, account_id, identity: action.identity, actions };
}
