import { eventId } from '@sluice/contract/event-id';
import type { AdmittedAction } from '@sluice/contract/groups';
import type { EventWork } from './fold-event.ts';

/** Sorts actions, each with the id of its event, by event, and within an event by sequence number. */
export function planWork(eventIds: ReadonlyMap<AdmittedAction, string>): EventWork[] {
  const byEvent = new Map<string, AdmittedAction[]>();
  for (const [action, id] of eventIds) {
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
  const { source_id, account_id, action } = siblings[0] as AdmittedAction;
  return { event_id, source_id, account_id, identity: action.identity, actions: eachOnce(siblings) };
}

/** A repeated request carries the sequence number of the first, and the same action: one of them is enough. */
function eachOnce(siblings: readonly AdmittedAction[]): readonly AdmittedAction[] {
  if (siblings.length === 1) return siblings;
  const bySequence = new Map(siblings.map((admitted) => [admitted.sequence, admitted]));
  return [...bySequence.values()].sort((a, b) => a.sequence - b.sequence);
}
