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
import { get, io, post, put, remove } from './route.ts';

/** The account's events, and imports of events. */
export const EVENT_ROUTES = {
  list: get('/events', 'viewer', io<{ query: EventQuery; response: EventPage }>()),
  show: get('/events/:eventId', 'viewer', io<{ response: EventDetail }>()),
  changes: get('/events/:eventId/changes', 'viewer', io<{ response: EventChanges }>()),
  edit: put('/events/:eventId', 'admin', io<{ body: EventEdit; response: EventEdited }>(), 202),
  cancel: post('/events/:eventId/cancel', 'admin', io<{ response: EventActionAccepted }>(), 202),
  delete: remove('/events/:eventId', 'admin', io<{ response: EventActionAccepted }>(), 202),
  /** A cancelled event is upcoming again. A deleted one gets the content of `restores_from`. */
  restore: post('/events/:eventId/restore', 'admin', io<{ response: EventActionAccepted }>(), 202),
  /** Fetches a feed so that it can be imported. Changes nothing. */
  readFeed: post('/events/import/feed', 'admin', io<{ body: I.FeedToRead; response: I.FeedText }>()),
  /** Shows what an import would do. Changes nothing. */
  checkImport: post(
    '/events/import/check',
    'admin',
    io<{ body: I.ImportCheck; response: I.ImportChecked }>(),
  ),
  /** Finds the events that earlier imports made of a calendar. Changes nothing. */
  findUids: post('/events/import/uids', 'admin', io<{ body: I.UidsToFind; response: I.UidsFound }>()),
  /** Finds the events of the last import that a calendar no longer has. Changes nothing. */
  findGone: post('/events/import/gone', 'admin', io<{ body: I.EventsOfCalendar; response: I.GoneEvents }>()),
  import: post('/events/import', 'admin', io<{ body: I.ImportRows; response: I.ImportAccepted }>(), 202),
  lastImport: get('/events/import/last', 'admin', io<{ response: I.LastImport }>()),
  /** Shows what an undo would do. Changes nothing. */
  checkUndo: post('/events/import/undo/check', 'admin', io<{ body: I.ImportName; response: I.UndoEffect }>()),
  undoImport: post(
    '/events/import/undo',
    'admin',
    io<{ body: I.ImportName; response: I.ImportUndone }>(),
    202,
  ),
} as const;
