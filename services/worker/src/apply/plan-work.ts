import type { AdmittedAction } from '@sluice/contract/delivery/groups';
import type { DeleteAction } from '@sluice/contract/event/action';
import { eventIdOf } from '@sluice/contract/event/event-id';
import { orderOf } from './fold-action.ts';
import type { EventWork } from './fold-event.ts';

/** The work of a group, by event. */
export interface PlannedWork extends AddressedEvents {
  readonly works: readonly EventWork[];
}

/** Ids of events, by action. */
export interface AddressedEvents {
  /** The event that the action is about. Its outcome is that of the action. */
  readonly eventIds: ReadonlyMap<AdmittedAction, string>;
  /** The events that it deletes beside it. Only upserts with an `external_id` have some. */
  readonly deletes: ReadonlyMap<AdmittedAction, readonly NumberedEvent[]>;
}

interface NumberedEvent {
  readonly event_id: string;
  readonly sequence: number;
}

/** Groups actions by event, sorted by sequence number. */
export function planWork(actions: readonly AdmittedAction[]): PlannedWork {
  const eventIds = new Map<AdmittedAction, string>();
  const deletes = new Map<AdmittedAction, readonly NumberedEvent[]>();
  const byEvent = new Map<string, AdmittedAction[]>();
  const add = (id: string, action: AdmittedAction): void => {
    const siblings = byEvent.get(id);
    if (siblings === undefined) byEvent.set(id, [action]);
    else siblings.push(action);
  };
  for (const admitted of actions) {
    const event_id = idOf(admitted);
    eventIds.set(admitted, event_id);
    add(event_id, admitted);
    if (admitted.action.external_id === undefined) continue;
    const also: NumberedEvent[] = [];
    for (const one of deletesOf(admitted, event_id)) {
      const other = idOf(one);
      add(other, one);
      also.push({ event_id: other, sequence: one.sequence });
    }
    deletes.set(admitted, also);
  }
  return { works: [...byEvent].map(([id, siblings]) => toWork(id, siblings)), eventIds, deletes };
}

/** The id of the event that an admitted action is about. */
export function idOf({ source_id, action }: AdmittedAction): string {
  return eventIdOf(source_id, action);
}

/**
 * The deletes that an upsert with an `external_id` brings along: of the event without one that has the same content, so that a sender
 * who begins to send ids doubles nothing, and of the event that it replaces. Each is folded by itself, with the same place in the
 * order. So the result is the same for every order, as without ids (docs/how-it-works.md, The fold).
 */
function deletesOf(admitted: AdmittedAction, became: string): AdmittedAction<DeleteAction>[] {
  const { action, sequence } = admitted;
  if (action.kind !== 'upsert') return [];
  const { identity, replaces: external_id, occurred_at } = action;
  const { first } = orderOf(action, sequence);
  // A late retry ends no newer event. Half a number belongs to no other action.
  const ended = first === undefined ? sequence : first - 0.5;
  const plain = { ...admitted, sequence: ended, action: { kind: 'delete', identity, became } } as const;
  if (external_id === undefined) return [plain];
  const at = occurred_at === undefined ? {} : { occurred_at };
  return [plain, { ...admitted, action: { kind: 'delete', identity, external_id, became, ...at } }];
}

function toWork(event_id: string, siblings: readonly AdmittedAction[]): EventWork {
  const { source_id, account_id, action } = siblings[0] as AdmittedAction;
  const { identity, external_id } = action;
  return { event_id, source_id, account_id, identity, external_id, actions: eachOnce(siblings) };
}

/** Removes repetitions. A repeated request has the sequence number and the action of the first. */
function eachOnce(siblings: readonly AdmittedAction[]): readonly AdmittedAction[] {
  if (siblings.length === 1) return siblings;
  const bySequence = new Map(siblings.map((admitted) => [admitted.sequence, admitted]));
  return [...bySequence.values()].sort((a, b) => a.sequence - b.sequence);
}
