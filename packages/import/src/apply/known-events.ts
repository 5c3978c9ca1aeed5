import { newestSequence } from '@sluice/contract/event/event-state';
import type { ActionRefused } from '@sluice/contract/problem/action-refused';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import { formatInstant } from '@sluice/contract/time/instant';
import type { KnownEvent } from '@sluice/dashboard-api/imports';
import type { StoredEvent } from '@sluice/store/events/event-document';
import type { Events } from '@sluice/store/events/events';
import type { ImportTurns } from '@sluice/store/imports/import-turns';
import { type FoundUid, type ImportedUids, MAX_FOUND } from '@sluice/store/imports/imported-uids';
import type { Imports, StoredImport } from '@sluice/store/imports/imports';
import { IMPORT_RUNS } from './in-turn.ts';

export interface KnownEventsDeps {
  readonly importTurns: Pick<ImportTurns, 'readTurn'>;
  readonly imports: Pick<Imports, 'findImport'>;
  readonly importedUids: Pick<ImportedUids, 'findUids' | 'findTaken'>;
  readonly events: Pick<Events, 'loadPortion'>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

export interface FoundEvents {
  readonly outcome: 'found';
  readonly known: KnownEvent[];
  /** UIDs that were not looked up, because the others have many days. Look them up next. */
  readonly unread: string[];
  /** The import states it, so that it is rejected if another import has run since. */
  readonly seen: string;
}

type Known = Omit<KnownEvent, 'uid' | 'recurrence_id'>;

/**
 * The stored events that earlier imports made of these UIDs. Deleted events are omitted. If the last event of a UID does not exist,
 * its import was undone or has stopped, so an earlier one that is not cancelled counts. An earlier event that another UID became since
 * does not: its cancel would be that of the other. Rejects while the last import is running or waits for the workers.
 */
export async function knownEvents(
  { importTurns, imports, importedUids, events, now }: KnownEventsDeps,
  { account_id, source_id }: { readonly account_id: string; readonly source_id: string },
  uids: readonly string[],
): Promise<FoundEvents | ActionRefused> {
  const turn = await importTurns.readTurn(source_id);
  if (turn.until > now()) return IMPORT_RUNS;
  const isRecent = turn.at > now() - PATIENCE_MS;
  const last = isRecent ? await imports.findImport(account_id, source_id, turn.import_id) : undefined;
  const waits = unappliedOf(last);
  const { entries, unread, tooMany } = await importedUids.findUids(source_id, uids);
  if (tooMany) return TOO_MANY;
  const lastOf = await existing(
    events,
    entries.map(({ event_id }) => event_id),
    waits,
  );
  const gone = entries.filter(({ event_id }) => !lastOf.found.has(event_id));
  const ids = gone.flatMap(({ earlier = [] }) => earlier);
  const taken = await importedUids.findTaken(source_id, ids);
  const before = await existing(
    events,
    ids.filter((id) => !taken.has(id)),
    waits,
  );
  if (lastOf.isWaiting || before.isWaiting) return NOT_APPLIED;
  const earlierOf = ({ earlier = [] }: FoundUid) =>
    earlier.map((id) => before.found.get(id)).find((one) => one?.cancelled === false);
  const known = entries.flatMap((entry) => {
    const { uid, recurrence_id, event_id } = entry;
    const event = lastOf.found.get(event_id) ?? earlierOf(entry);
    return event === undefined ? [] : [{ uid, recurrence_id, ...event }];
  });
  return { outcome: 'found', known, unread: [...unread], seen: turn.version };
}

/** Rows that are not applied after this time no longer keep others from importing, because an event may also have expired. */
const PATIENCE_MS = 10 * MINUTE_MS;

const NOT_APPLIED: ActionRefused = {
  outcome: 'refused',
  code: 'conflict',
  detail:
    'The last import into this source, or its undo, is not applied yet. Try again soon, in at most ten minutes.',
};

const TOO_MANY: ActionRefused = {
  outcome: 'refused',
  code: 'conflict',
  detail: `A series of this calendar had more than ${MAX_FOUND.toLocaleString('en')} changed days in earlier imports. Import the calendar into another source.`,
};

/** Those of the events that exist, and whether the workers have yet to apply a row to one of them. */
async function existing(
  events: KnownEventsDeps['events'],
  ids: readonly string[],
  waits: Waits,
): Promise<{ readonly found: ReadonlyMap<string, Known>; readonly isWaiting: boolean }> {
  const found = new Map<string, Known>();
  let isWaiting = false;
  for (let wanted: readonly string[] = [...new Set(ids)]; wanted.length > 0; ) {
    const portion = await events.loadPortion(wanted);
    const unread = new Set(portion.unread);
    for (const id of wanted) {
      const event = portion.events.get(id);
      if (!unread.has(id) && waits(id, event)) isWaiting = true;
      if (event !== undefined && event.state.content !== null) found.set(id, knownOf(event));
    }
    wanted = portion.unread;
  }
  return { found, isWaiting };
}

function knownOf({ event_id, identity, state }: StoredEvent): Known {
  const { title, starts_at, location } = identity;
  const cancelled = state.status?.value === 'cancelled';
  return { event_id, title, starts_at: formatInstant(starts_at), location, cancelled };
}

/** Whether an accepted action of the last import or its undo is not applied to an event yet. Undefined: no such event is stored. */
export type Waits = (eventId: string, event: StoredEvent | undefined) => boolean;

/** Tells which events the last import of a source, or its undo, has not reached yet. Undefined: there is no such import. */
function unappliedOf(last: StoredImport | undefined): Waits {
  if (last === undefined) return () => false;
  const { import_id, undone_at } = last;
  // Every action that was accepted before the undo is older, so only the undo itself can wait.
  if (undone_at !== null) return (_, event) => event !== undefined && isNotUndone(event, import_id);
  const sequences = new Map<string, number>();
  for (const { event_ids, accepted, first_sequence } of last.parts) {
    if (first_sequence === undefined) continue;
    for (const id of event_ids.slice(0, accepted)) sequences.set(id, first_sequence);
  }
  return (id, event) => {
    const first = sequences.get(id);
    return first !== undefined && (event === undefined || newestSequence(event.state) < first);
  };
}

function isNotUndone({ imported: mark }: StoredEvent, importId: string): boolean {
  return mark?.import_id === importId && mark.undone !== true && mark.before !== null;
}
