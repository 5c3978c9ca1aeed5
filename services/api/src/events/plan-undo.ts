import { hash } from 'node:crypto';
import type { Action } from '@sluice/contract/event/action';
import type { EventState } from '@sluice/contract/event/event-state';
import type { StoredEvent } from '@sluice/store/events/event-document';

/** The effect of undoing an import on one of its events. */
export type Undoing =
  | { readonly outcome: 'delete' | 'restore'; readonly action: Action; readonly digest: string }
  /** Something newer has changed the event since the import. */
  | { readonly outcome: 'left'; readonly event: StoredEvent }
  /** The undo is applied already. */
  | { readonly outcome: 'undone' }
  /** The import did not change it: its row is not applied yet (`waits`), or found nothing to cancel. */
  | { readonly outcome: 'untouched'; readonly waits: boolean };

/** Decides from the mark that the workers stored with the event (worker/apply/import-mark.ts). */
export function planUndo(event: StoredEvent | undefined, importId: string): Undoing {
  const mark = event?.imported;
  if (event === undefined || mark === undefined) return { outcome: 'untouched', waits: true };
  const { before } = mark;
  const { content, status } = event.state;
  if (mark.import_id !== importId) return { outcome: 'left', event };
  if (mark.undone) return { outcome: 'undone' };
  if (content === null && status?.sequence === mark.sequence) return { outcome: 'untouched', waits: false };
  if (before === null) return { outcome: 'left', event };
  const digest = hash('sha256', `${event.event_id} ${mark.sequence}`, 'hex').slice(0, 16);
  const action = actionTo(event, before);
  return { outcome: action.kind === 'delete' ? 'delete' : 'restore', action, digest };
}

function actionTo({ identity, external_id }: StoredEvent, { content, status, named }: EventState): Action {
  const address = { identity: named?.value ?? identity, ...(external_id !== undefined && { external_id }) };
  return content === null
    ? { kind: 'delete', ...address }
    : { kind: 'upsert', ...address, content: content.value, status: status?.value ?? 'upcoming' };
}
