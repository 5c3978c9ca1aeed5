import type { AdmittedAction } from '@sluice/contract/delivery/groups';
import type { EventState } from '@sluice/contract/event/event-state';
import type { ImportMark } from '@sluice/store/events/event-document';
import { isId } from '../take/untrusted-fields.ts';
import { fold } from './fold-action.ts';

/** The state of an event before and after folding one action. */
export interface Step {
  readonly before: EventState;
  readonly after: EventState;
}

/**
 * The import mark of an event after a step. A late action that is older than the import's is folded into the state
 * before the import. A newer action clears that state, because an undo never touches an event that changed since.
 */
export function markAfter(
  mark: ImportMark | undefined,
  admitted: AdmittedAction,
  { before, after }: Step,
): ImportMark | undefined {
  const { action, sequence, import_id, undoes } = admitted;
  if (mark === undefined && import_id === undefined) return undefined;
  const isNewest = newestOf(after) === sequence;
  if (undoes !== undefined && undoes === mark?.import_id && isNewest)
    return { import_id: undoes, sequence, before: null, undone: true };
  if (isId(import_id) && isNewest && after.content !== null) {
    const again = mark?.import_id === import_id && mark.before !== null;
    return { import_id, sequence, before: again ? mark.before : before };
  }
  // A row that changed nothing also leaves a mark, so that an undo doesn't wait for it.
  if (mark === undefined || (mark.undone && import_id !== mark.import_id))
    return isId(import_id) ? { import_id, sequence, before: null } : mark;
  if (mark.before === null) return mark;
  if (sequence > mark.sequence) return isNewest ? { ...mark, before: null } : mark;
  // Another row of the same import doesn't belong to the state before the import.
  if (import_id === mark.import_id) return mark;
  const folded = fold(mark.before, action, sequence);
  return folded.changed ? { ...mark, before: folded.state } : mark;
}

/** Sequence number of the last action that set a register; 0 if none did. */
export function newestOf({ content, status, deleted }: EventState): number {
  return Math.max(content?.sequence ?? 0, status?.sequence ?? 0, deleted ?? 0);
}
