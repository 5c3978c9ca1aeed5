import type { Action, UpsertAction } from '@sluice/contract/action';
import type { Outcome } from '@sluice/contract/delivery';
import type { EventState, Register } from '@sluice/contract/event-state';

/** What one action did to an event. */
export interface Folded {
  readonly state: EventState;
  readonly outcome: Outcome;
  /** Whether `state` differs from the state before, and so has to be written. */
  readonly changed: boolean;
}

/**
 * Applies one numbered action to what is known of an event. The resulting state is a pure function of the *set* of
 * actions folded so far: any order and any repetition ends in the same state. Outcomes tell what the action did to the
 * state it met; where actions come in the order of their numbers they are exactly what the sender would expect.
 *
 * A number is given to one request only, so an action that meets its own number is that action repeated.
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

function foldUpsert(state: EventState, { content, status }: UpsertAction, sequence: number): Folded {
  if (state.content?.sequence === sequence) return unchanged(state, 'duplicate');
  // Even an upsert that comes too late to set anything else may have been the first one.
  const created = Math.min(state.created ?? sequence, sequence);
  if (newer(state.deleted, sequence) || newer(state.content?.sequence, sequence)) {
    return { state: { ...state, created }, outcome: 'superseded', changed: created !== state.created };
  }
  const next: EventState = {
    ...state,
    created,
    content: { sequence, value: content },
    // A newer cancel that came first keeps its say.
    status: newer(state.status?.sequence, sequence) ? state.status : { sequence, value: status },
  };
  return { state: next, outcome: state.content === null ? 'created' : 'updated', changed: true };
}

function foldCancel(state: EventState, sequence: number): Folded {
  if (state.status?.sequence === sequence) return unchanged(state, 'duplicate');
  if (newer(state.deleted, sequence) || newer(state.status?.sequence, sequence))
    return unchanged(state, 'superseded');
  // Without an event this is the marker that an older upsert arriving later will find.
  const next: EventState = { ...state, status: { sequence, value: 'cancelled' } };
  return { state: next, outcome: state.content === null ? 'not_found' : 'cancelled', changed: true };
}

function foldDelete(state: EventState, sequence: number): Folded {
  if (state.deleted === sequence) return unchanged(state, 'duplicate');
  if (newer(state.deleted, sequence)) return unchanged(state, 'superseded');
  const next: EventState = {
    ...state,
    content: unlessOlder(state.content, sequence),
    // The marker of a newer cancel outlives the deletion, with or without content.
    status: unlessOlder(state.status, sequence),
    deleted: sequence,
  };
  return { state: next, outcome: deleteOutcome(state, sequence), changed: true };
}

function deleteOutcome({ content }: EventState, sequence: number): Outcome {
  if (content === null) return 'not_found';
  return newer(content.sequence, sequence) ? 'superseded' : 'deleted';
}

/** Canonical form: what is older than the deletion went with it. */
function unlessOlder<T>(register: Register<T> | null, deletion: number): Register<T> | null {
  return register !== null && newer(register.sequence, deletion) ? register : null;
}

function newer(known: number | null | undefined, sequence: number): boolean {
  return known !== null && known !== undefined && known > sequence;
}

function unchanged(state: EventState, outcome: Outcome): Folded {
  return { state, outcome, changed: false };
}
