import type { EventState } from '@sluice/contract/event-state';
import type { AdmittedAction } from '@sluice/contract/groups';
import type { ImportMark } from '@sluice/store/event-document';
import { isId } from '../take/untrusted-fields.ts';
import { fold } from './fold.ts';

/** What was known of an event before and after an action that was folded now. */
export interface Step {
  readonly before: EventState;
  readonly after: EventState;
}

/**
 * What is remembered of the last import of an event after a step. An action that is older than the import's and comes
 * late belongs to what was before it; a newer one makes that useless, as an undo leaves alone what was changed since.
 */
export function markAfter(
  mark: ImportMark | undefined,
  admitted: AdmittedAction,
  { before, after }: Step,
): ImportMark | undefined {
  const { action, sequence, import_id, undoes } = admitted;
  if (mark === undefined && import_id === undefined) return undefined;
  const took = newestOf(after) === sequence;
  if (undoes !== undefined && undoes === mark?.import_id && took)
    return { import_id: undoes, sequence, before: null, undone: true };
  if (isId(import_id) && took && after.content !== null) {
    const again = mark?.import_id === import_id && mark.before !== null;
    return { import_id, sequence, before: again ? mark.before : before };
  }
  // A row that changed nothing leaves a mark too: an undo need not wait for it.
  if (mark === undefined || (mark.undone && import_id !== mark.import_id))
    return isId(import_id) ? { import_id, sequence, before: null } : mark;
  if (mark.before === null) return mark;
  if (sequence > mark.sequence) return took ? { ...mark, before: null } : mark;
  // Another row of the same import is no part of what was before it.
  if (import_id === mark.import_id) return mark;
  const folded = fold(mark.before, action, sequence);
  return folded.changed ? { ...mark, before: folded.state } : mark;
}

/** The sequence number of the last action that set anything; 0 where none has. */
export function newestOf({ content, status, deleted }: EventState): number {
  return Math.max(content?.sequence ?? 0, status?.sequence ?? 0, deleted ?? 0);
}
