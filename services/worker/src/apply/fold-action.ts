import type { Outcome } from '@sluice/contract/delivery/delivery';
import type { Action, UpsertAction } from '@sluice/contract/event/action';
import type { EventState, Order, Register } from '@sluice/contract/event/event-state';

/** The effect of one action on an event. */
export interface Folded {
  readonly state: EventState;
  readonly outcome: Outcome;
  /** Whether `state` differs from the previous state and must be written. */
  readonly changed: boolean;
}

/**
 * Applies one numbered action to the state of an event. The resulting state is a pure function of the *set* of actions
 * folded so far: any order and any repetition leads to the same state. An outcome describes the effect on the state at
 * that moment. If actions arrive in the order of their numbers, the outcomes are exactly what the sender expects.
 *
 * A number belongs to one request only, so an action that finds its own number in the state is a repetition.
 */
export function fold(state: EventState, action: Action, sequence: number): Folded {
  const order = orderOf(action, sequence);
  switch (action.kind) {
    case 'upsert':
      return foldUpsert(state, action, order);
    case 'cancel':
      return foldCancel(state, order);
    case 'delete':
      return foldDelete(state, order);
  }
}

/** A clock of the sender that is ahead counts as ours: nothing could follow its action otherwise. */
export function orderOf({ occurred_at }: Action, sequence: number): Order {
  if (occurred_at === undefined || occurred_at * 1000 >= sequence) return { sequence };
  return { sequence, first: occurred_at * 1000 };
}

function foldUpsert(before: EventState, action: UpsertAction, order: Order): Folded {
  const { sequence } = order;
  if (before.content?.sequence === sequence) return unchanged(before, 'duplicate');
  const { content, status } = action;
  const state = action.external_id === undefined ? before : withName(before, action, order);
  // Even a superseded upsert may have been the first one.
  const created = Math.min(state.created ?? sequence, sequence);
  if (newer(deletionOf(state), order) || newer(state.content, order)) {
    const changed = created !== state.created || state !== before;
    return { state: { ...state, created }, outcome: 'superseded', changed };
  }
  const next: EventState = {
    ...state,
    created,
    content: register(order, content),
    // A newer cancel that arrived first wins.
    status: newer(state.status, order) ? state.status : register(order, status),
  };
  return { state: next, outcome: state.content === null ? 'created' : 'updated', changed: true };
}

/** Not a spread, which takes V8 several times as long. */
function register<T>({ sequence, first }: Order, value: T): Register<T> {
  return first === undefined ? { sequence, value } : { sequence, value, first };
}

function withName(state: EventState, { identity }: UpsertAction, order: Order): EventState {
  const isKnown = newer(state.named, order) || state.named?.sequence === order.sequence;
  return isKnown ? state : { ...state, named: register(order, identity) };
}

function foldCancel(state: EventState, order: Order): Folded {
  const { sequence } = order;
  if (state.status?.sequence === sequence) return unchanged(state, 'duplicate');
  if (newer(deletionOf(state), order) || newer(state.status, order)) return unchanged(state, 'superseded');
  // Without an event, this is the marker that an older upsert finds when it arrives later.
  const next: EventState = { ...state, status: register(order, 'cancelled') };
  return { state: next, outcome: state.content === null ? 'not_found' : 'cancelled', changed: true };
}

function foldDelete(state: EventState, order: Order): Folded {
  const { sequence, first } = order;
  if (state.deleted === sequence) return unchanged(state, 'duplicate');
  if (newer(deletionOf(state), order)) return unchanged(state, 'superseded');
  const next: EventState = {
    ...state,
    content: unlessOlder(state.content, order),
    // The marker of a newer cancel survives the deletion, with or without content.
    status: unlessOlder(state.status, order),
    deleted: sequence,
  };
  const isPlain = first === undefined && state.deletedFirst === undefined;
  const whole = isPlain ? next : { ...next, deletedFirst: first };
  return { state: whole, outcome: deleteOutcome(state, order), changed: true };
}

function deleteOutcome({ content }: EventState, order: Order): Outcome {
  if (content === null) return 'not_found';
  return newer(content, order) ? 'superseded' : 'deleted';
}

/** Canonical form: a deletion removes every older register. */
function unlessOlder<T>(register: Register<T> | null, deletion: Order): Register<T> | null {
  return register !== null && newer(register, deletion) ? register : null;
}

function deletionOf({ deleted, deletedFirst }: EventState): Order | null {
  return deleted === null ? null : { sequence: deleted, first: deletedFirst };
}

function newer(known: Order | null | undefined, { sequence, first = sequence }: Order): boolean {
  if (known === null || known === undefined) return false;
  const knownFirst = known.first ?? known.sequence;
  return knownFirst === first ? known.sequence > sequence : knownFirst > first;
}

function unchanged(state: EventState, outcome: Outcome): Folded {
  return { state, outcome, changed: false };
}
