import type { AdmittedAction } from '@sluice/contract/delivery/groups';
import { eventId } from '@sluice/contract/event/event-id';
import type { EventWork } from './fold-event.ts';

/** Groups actions by event, sorted by sequence number. `eventIds`: the event of each action. */
export function planWork(eventIds: ReadonlyMap<AdmittedAction, string>): EventWork[] {
  const byEvent = new Map<string, AdmittedAction[]>();
  for (const [action, id] of eventIds) {
    const siblings = byEvent.get(id);
    if (siblings === undefined) byEvent.set(id, [action]);
    else siblings.push(action);
  }
  return [...byEvent].map(([event_id, siblings]) => toWork(event_id, siblings));
}

/** The id of the event that an admitted action changes. */
export function eventIdOf({ source_id, action }: AdmittedAction): string {
  return eventId(source_id, action.identity);
}

function toWork(event_id: string, siblings: readonly AdmittedAction[]): EventWork {
  const { source_id, account_id, action } = siblings[0] as AdmittedAction;
  return { event_id, source_id, account_id, identity: action.identity, actions: eachOnce(siblings) };
}

/** Removes repetitions. A repeated request has the sequence number and the action of the first. */
function eachOnce(siblings: readonly AdmittedAction[]): readonly AdmittedAction[] {
  if (siblings.length === 1) return siblings;
  const bySequence = new Map(siblings.map((admitted) => [admitted.sequence, admitted]));
  return [...bySequence.values()].sort((a, b) => a.sequence - b.sequence);
}
