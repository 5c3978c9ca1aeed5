import type { EventChanges } from './event-changes.ts';
import type * as E from './events.ts';
import type { ImportAccepted, ImportCheck, ImportChecked, ImportRows } from './imports.ts';
import { route } from './route.ts';

/** The account's events, and files of events. */
export const EVENT_ROUTES = {
  list: route<{ query: E.EventQuery; response: E.EventPage }>('GET', '/events', 'viewer'),
  show: route<{ params: 'eventId'; response: E.EventDetail }>('GET', '/events/:eventId', 'viewer'),
  changes: route<{ params: 'eventId'; response: EventChanges }>('GET', '/events/:eventId/changes', 'viewer'),
  cancel: route<{ params: 'eventId'; response: E.EventActionAccepted }>(
    'POST',
    '/events/:eventId/cancel',
    'admin',
    202,
  ),
  delete: route<{ params: 'eventId'; response: E.EventActionAccepted }>(
    'DELETE',
    '/events/:eventId',
    'admin',
    202,
  ),
  /** What an import would do; it does nothing. */
  checkImport: route<{ body: ImportCheck; response: ImportChecked }>('POST', '/events/import/check', 'admin'),
  import: route<{ body: ImportRows; response: ImportAccepted }>('POST', '/events/import', 'admin', 202),
} as const;
