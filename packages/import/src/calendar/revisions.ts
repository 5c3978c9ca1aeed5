import type { ReadEvent } from './read-event.ts';

export interface Revisions {
  /** The events that count. */
  readonly newest: readonly ReadEvent[];
  /** The others, with a note and without the UID: they are no event of it any more. */
  readonly older: readonly ReadEvent[];
}

/**
 * Of several versions of one event, or of one day of a series, the highest SEQUENCE counts (RFC 5545, section 3.8.7.4). Versions with the
 * same number all stay, because some programs write one UID into all events. A version that cannot be imported replaces none.
 */
export function newestRevisions(events: readonly ReadEvent[]): Revisions {
  const highest = new Map<string, number>();
  for (const { row, sequence } of events) {
    const key = keyOf(row);
    if (key !== undefined && row.errors.length === 0)
      highest.set(key, Math.max(sequence, highest.get(key) ?? 0));
  }
  const newest: ReadEvent[] = [];
  const older: ReadEvent[] = [];
  for (const one of events) {
    const key = keyOf(one.row);
    const most = key === undefined ? undefined : highest.get(key);
    if (most === undefined || one.sequence >= most) newest.push(one);
    else older.push(replaced(one, most));
  }
  return { newest, older };
}

function keyOf({ uid, recurrenceId }: ReadEvent['row']): string | undefined {
  return uid === undefined ? undefined : JSON.stringify([uid, recurrenceId]);
}

function replaced(one: ReadEvent, sequence: number): ReadEvent {
  const { uid: _, ...row } = one.row;
  const note = `The file has a newer version of this event (SEQUENCE ${sequence}, here ${one.sequence}), which counts.`;
  return { ...one, row: { ...row, recurrenceId: '', errors: [], notes: [...row.notes, note] } };
}
