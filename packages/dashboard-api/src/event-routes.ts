import type { EventChanges } from './event-changes.ts';
import type {
  EventActionAccepted,
  EventDetail,
  EventEdit,
  EventEdited,
  EventPage,
  EventQuery,
} from './events.ts';
import type * as I from './imports.ts';
import { route } from './route.ts';

/** The account's events, and imports of events. */
export const EVENT_ROUTES = {
  list: route<{ query: EventQuery; response: EventPage }>('GET', '/events', 'viewer'),
  show: route<{ params: 'eventId'; response: EventDetail }>('GET', '/events/:eventId', 'viewer'),
  changes: route<{ params: 'eventId'; response: EventChanges }>('GET', '/events/:eventId/changes', 'viewer'),
  edit: route<{ params: 'eventId'; body: EventEdit; response: EventEdited }>(
    'PUT',
    '/events/:eventId',
    'admin',
    202,
  ),
  cancel: route<{ params: 'eventId'; response: EventActionAccepted }>(
    'POST',
    '/events/:eventId/cancel',
    'admin',
    202,
  ),
  delete: route<{ params: 'eventId'; response: EventActionAccepted }>(
    'DELETE',
    '/events/:eventId',
    'admin',
    202,
  ),
  /** A cancelled event is upcoming again. A deleted one gets the content of `restores_from`. */
  restore: route<{ params: 'eventId'; response: EventActionAccepted }>(
    'POST',
    '/events/:eventId/restore',
    'admin',
    202,
  ),
  /** Fetches a feed so that it can be imported. Changes nothing. */
  readFeed: route<{ body: I.FeedToRead; response: I.FeedText }>('POST', '/events/import/feed', 'admin'),
  /** Shows what an import would do. Changes nothing. */
  checkImport: route<{ body: I.ImportCheck; response: I.ImportChecked }>(
    'POST',
    '/events/import/check',
    'admin',
  ),
  /** Finds the events that earlier imports made of a calendar. Changes nothing. */
  findUids: route<{ body: I.UidsToFind; response: I.UidsFound }>('POST', '/events/import/uids', 'admin'),
  /** Finds the events of the last import that a calendar no longer has. Changes nothing. */
  findGone: route<{ body: I.EventsOfCalendar; response: I.GoneEvents }>(
    'POST',
    '/events/import/gone',
    'admin',
  ),
  import: route<{ body: I.ImportRows; response: I.ImportAccepted }>('POST', '/events/import', 'admin', 202),
  lastImport: route<{ response: I.LastImport }>('GET', '/events/import/last', 'admin'),
  /** Shows what an undo would do. Changes nothing. */
  checkUndo: route<{ body: I.ImportName; response: I.UndoEffect }>(
    'POST',
    '/events/import/undo/check',
    'admin',
  ),
  undoImport: route<{ body: I.ImportName; response: I.ImportUndone }>(
    'POST',
    '/events/import/undo',
    'admin',
    202,
  ),
} as const;
