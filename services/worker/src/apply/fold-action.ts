import type { Outcome } from '@sluice/contract/delivery/delivery';
import type { Action, UpsertAction } from '@sluice/contract/event/action';
import type { EventState, Register } from '@sluice/contract/event/event-state';

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
  switch (action.kind) {
    case 'upsert':
      return foldUpsert(state, action, sequence);
    case 'cancel':
      return foldCancel(state, sequence);
    case 'delete':
      return foldDelete(state, sequence);
  }
}

function foldUpsert(before: EventState, action: UpsertAction, sequence: number): Folded {
  if (before.content?.sequence === sequence) return unchanged(before, 'duplicate');
  const { content, status } = action;
  const state = action.external_id === undefined ? before : withName(before, action, sequence);
  // Even a superseded upsert may have been the first one.
  const created = Math.min(state.created ?? sequence, sequence);
  if (newer(state.deleted, sequence) || newer(state.content?.sequence, sequence)) {
    const changed = created !== state.created || state !== before;
    return { state: { ...state, created }, outcome: 'superseded', changed };
  }
  const next: EventState = {
    ...state,
    created,
    content: { sequence, value: content },
    // A newer cancel that arrived first wins.
    status: newer(state.status?.sequence, sequence) ? state.status : { sequence, value: status },
  };
  return { state: next, outcome: state.content === null ? 'created' : 'updated', changed: true };
}

function withName(state: EventState, { identity }: UpsertAction, sequence: number): EventState {
  const isKnown = state.named !== undefined && state.named.sequence >= sequence;
  return isKnown ? state : { ...state, named: { sequence, value: identity } };
}

function foldCancel(state: EventState, sequence: number): Folded {
  if (state.status?.sequence === sequence) return unchanged(state, 'duplicate');
  if (newer(state.deleted, sequence) || newer(state.status?.sequence, sequence))
    return unchanged(state, 'superseded');
  // Without an event, this is the marker that an older upsert finds when it arrives later.
  const next: EventState = { ...state, status: { sequence, value: 'cancelled' } };
  return { state: next, outcome: state.content === null ? 'not_found' : 'cancelled', changed: true };
}

function foldDelete(state: EventState, sequence: number): Folded {
  if (state.deleted === sequence) return unchanged(state, 'duplicate');
  if (newer(state.deleted, sequence)) return unchanged(state, 'superseded');
  const next: EventState = {
    ...state,
    content: unlessOlder(state.content, sequence),
    // The marker of a newer cancel survives the deletion, with or without content.
    status: unlessOlder(state.status, sequence),
    deleted: sequence,
  };
  return { state: next, outcome: deleteOutcome(state, sequence), changed: true };
}

function deleteOutcome({ content }: EventState, sequence: number): Outcome {
  if (content === null) return 'not_found';
  return newer(content.sequence, sequence) ? 'superseded' : 'deleted';
}

/** Canonical form: a deletion removes every older register. */
function unlessOlder<T>(register: Register<T> | null, deletion: number): Register<T> | null {
  return register !== null && newer(register.sequence, deletion) ? register : null;
}

function newer(known: number | null | undefined, sequence: number): boolean {
  return known !== null && known !== undefined && known > sequence;
}

function unchanged(state: EventState, outcome: Outcome): Folded {
  return { state, outcome, changed: false };
}
