import { newestSequence } from '@sluice/contract/event-state';
import type { StoredEvent } from '@sluice/store/events/event-document';
import type { StoredImport } from '@sluice/store/imports/imports';

/** Whether an accepted action of the last import or its undo is not applied to an event yet. Undefined: no such event is stored. */
export type Waits = (eventId: string, event: StoredEvent | undefined) => boolean;

/** Tells which events the last import of a source, or its undo, has not reached yet. Undefined: there is no such import. */
export function unappliedOf(last: StoredImport | undefined): Waits {
  if (last === undefined) return () => false;
  const { import_id, undone_at } = last;
  // Every action that was accepted before the undo is older, so only the undo itself can wait.
  if (undone_at !== null) return (_, event) => event !== undefined && isNotUndone(event, import_id);
  const sequences = new Map<string, number>();
  for (const { event_ids, accepted = 0, first_sequence } of last.parts) {
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
