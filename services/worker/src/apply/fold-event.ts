import type { Outcome } from '@sluice/contract/delivery/delivery';
import type { AdmittedAction } from '@sluice/contract/delivery/groups';
import { titled } from '@sluice/contract/event/action';
import { type EventIdentity, IMPORT_FORMATS, type ImportFormat } from '@sluice/contract/event/event-fields';
import { type EventState, NO_EVENT } from '@sluice/contract/event/event-state';
import type { Mutable } from '@sluice/contract/text/mutable';
import type { ImportMark, StoredEvent } from '@sluice/store/events/event-document';
import { NO_OUTCOMES, outcomeIn, withOutcomes } from '@sluice/store/events/recent-outcomes';
import { fold } from './fold-action.ts';
import { markAfter } from './import-mark.ts';

/** The actions of a group on one event. */
export interface EventWork {
  readonly event_id: string;
  readonly source_id: string;
  readonly account_id: string;
  /** Of the first action. That of an event with an `external_id` may change with each. */
  readonly identity: EventIdentity;
  readonly external_id?: string | undefined;
  /** Sorted by sequence number, without repetitions. */
  readonly actions: readonly AdmittedAction[];
}

/** The event after the work, and the outcome of each sequence number. */
export interface FoldedEvent {
  readonly event: StoredEvent;
  /** The state before the work. */
  readonly before: EventState;
  /** The last action that changed the event. Undefined if none did. */
  readonly last: AdmittedAction | undefined;
  readonly outcomes: ReadonlyMap<number, Outcome>;
  /** False if nothing has to be written. */
  readonly changed: boolean;
}

/**
 * Number of outcomes that an event remembers in addition to those of its last group. They let a retried job report the
 * same outcomes, if its worker died between writing the event and the log while other groups continued. They are kept
 * in the order of writing, not of sequence, because the last written outcomes are the ones that a dying worker hasn't
 * logged.
 */
const REMEMBERED_OUTCOMES = 32;

/**
 * Folds the actions of one event over its stored state. An action with a remembered outcome was applied by an earlier
 * run. It is reported with that outcome and not folded again.
 */
export function foldEvent(work: EventWork, stored: StoredEvent | undefined): FoldedEvent {
  const outcomes = new Map<number, Outcome>();
  const remembered = stored?.recent ?? NO_OUTCOMES;
  const before = stored?.state ?? NO_EVENT;
  let state = before;
  let last: AdmittedAction | undefined;
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
    if (folded.changed) last = admitted;
    state = after;
    mark = marked;
    outcomes.set(sequence, folded.outcome);
  }
  const { event_id, source_id, account_id, external_id } = work;
  const identity = external_id === undefined ? work.identity : (state.named?.value ?? UNNAMED);
  const recent = withOutcomes(remembered, outcomes, REMEMBERED_OUTCOMES);
  const event: Mutable<StoredEvent> = {
    event_id,
    source_id,
    account_id,
    identity,
    state,
    recent,
    revision: stored?.revision ?? 0,
  };
  if (external_id !== undefined) event.external_id = external_id;
  if (mark !== undefined) event.imported = mark;
  // Changes that another process has not published yet must survive the write.
  if (stored?.untold !== undefined) event.untold = stored.untold;
  return { event, before, last, outcomes, changed };
}

/** A cancel or delete by `external_id` came first. Nobody sees the event before its first upsert. */
const UNNAMED = titled('');

/** The origin of the content. After an undo it is the origin from before the import. */
function originOf(
  { origin, undoes }: AdmittedAction,
  mark: ImportMark | undefined,
): ImportFormat | undefined {
  if (origin === undefined) return undefined;
  const effective =
    undoes !== undefined && undoes === mark?.import_id ? mark.before?.content?.origin : origin;
  return IMPORT_FORMATS.find((format) => format === effective);
}

/** Adds the origin to the content if this action set the content. */
function withOrigin(state: EventState, sequence: number, origin: ImportFormat | undefined): EventState {
  const { content } = state;
  return origin !== undefined && content?.sequence === sequence
    ? { ...state, content: { ...content, origin } }
    : state;
}
