import type { Outcome } from '@sluice/contract/delivery';
import { type EventIdentity, IMPORT_FORMATS, type ImportFormat } from '@sluice/contract/event-fields';
import { type EventState, NO_EVENT } from '@sluice/contract/event-state';
import type { AdmittedAction } from '@sluice/contract/groups';
import type { ImportMark, StoredEvent } from '@sluice/store/event-document';
import { NO_OUTCOMES, outcomeIn, withOutcomes } from '@sluice/store/recent-outcomes';
import { fold } from './fold.ts';
import { markAfter } from './import-mark.ts';

/** What a group has to do to one event. */
export interface EventWork {
  readonly event_id: string;
  readonly source_id: string;
  readonly account_id: string;
  readonly identity: EventIdentity;
  /** In the order of their sequence numbers, each number once. */
  readonly actions: readonly AdmittedAction[];
}

/** The event after the work, and what each sequence number came to. */
export interface FoldedEvent {
  readonly event: StoredEvent;
  readonly outcomes: ReadonlyMap<number, Outcome>;
  /** False where nothing has to be written. */
  readonly changed: boolean;
}

/**
 * How many outcomes an event remembers beside those of the group that wrote it last. They serve a job that is run
 * again after its worker died between writing the event and writing the log, while other groups went on. They are kept
 * in the order of writing, not of sequence: what was written last is what a dying worker has not logged yet.
 */
const REMEMBERED_OUTCOMES = 32;

/**
 * Folds the actions of one event over what is stored of it. An action whose outcome the event remembers was applied
 * by an earlier run: it is reported as it was then, and not folded again.
 */
export function foldEvent(work: EventWork, stored: StoredEvent | undefined): FoldedEvent {
  const outcomes = new Map<number, Outcome>();
  const remembered = stored?.recent ?? NO_OUTCOMES;
  let state = stored?.state ?? NO_EVENT;
  let mark = stored?.imported;
  let changed = false;
  for (const admitted of work.actions) {
    const { action, sequence } = admitted;
    const known = outcomeIn(remembered, sequence);
    if (known !== undefined) {
      outcomes.set(sequence, known);
      continue;
    }
    const folded = fold(state, action, sequence);
    const after = withOrigin(folded.state, sequence, originOf(admitted, mark));
    const marked = markAfter(mark, admitted, { before: state, after });
    changed ||= folded.changed || marked !== mark;
    state = after;
    mark = marked;
    outcomes.set(sequence, folded.outcome);
  }
  const { event_id, source_id, account_id, identity } = work;
  const recent = withOutcomes(remembered, outcomes, REMEMBERED_OUTCOMES);
  const event = { event_id, source_id, account_id, identity, state, revision: stored?.revision ?? 0, recent };
  if (mark !== undefined) return { event: { ...event, imported: mark }, outcomes, changed };
  return { event, outcomes, changed };
}

/** What an import is undone to has the origin that it had. */
function originOf(
  { origin, undoes }: AdmittedAction,
  mark: ImportMark | undefined,
): ImportFormat | undefined {
  if (origin === undefined) return undefined;
  const said = undoes !== undefined && undoes === mark?.import_id ? mark.before?.content?.origin : origin;
  return IMPORT_FORMATS.find((format) => format === said);
}

/** The content says what imported it, where this very action has set it. */
function withOrigin(state: EventState, sequence: number, origin: ImportFormat | undefined): EventState {
  const { content } = state;
  return origin !== undefined && content?.sequence === sequence
    ? { ...state, content: { ...content, origin } }
    : state;
}
