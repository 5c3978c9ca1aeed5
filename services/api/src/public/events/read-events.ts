import { eventListQuery } from '@sluice/contract/api/event-list';
import {
  describeEvent,
  type EventRecord,
  eventRecord,
  showFields,
} from '@sluice/contract/event/event-record';
import { formatInstant, instantOrNull } from '@sluice/contract/time/instant';
import type { ListedEvent } from '@sluice/store/events/listed-event';
import type * as z from 'zod';
import { refuse } from '../../http/result.ts';
import type { RouteDeps } from '../../parts.ts';
import { type PublicCall, publicRoute } from '../layer/declare-route.ts';
import type { Place } from '../layer/list-route.ts';
import { listRoute } from '../layer/list-route.ts';

const NO_SOURCE =
  'This account has no event source with this id. Copy it from Sources, or from source_id of an event.';
const UNKNOWN_SOURCE = refuse('validation_failed', NO_SOURCE, {
  errors: [{ pointer: '/source', detail: NO_SOURCE }],
});

/** The account's events. Messages of the kinds `event.*` have the same records, so the same scope reads them. */
export const listEvents = listRoute({
  path: '/api/public/events',
  operationId: 'listEvents',
  tag: 'Events',
  summary: 'List events',
  description:
    'Returns the events that exist, by start, the earliest first. All filters must match. To hear of changes and deletions, subscribe to the kinds `event.*`, which need the same scope.',
  scopes: ['webhooks'],
  query: eventListQuery,
  item: eventRecord,
  problems: [],
  async read(
    { accountId, query }: PublicCall<z.output<typeof eventListQuery>>,
    after: Place | undefined,
    deps: RouteDeps,
  ) {
    const { source, status, starts_from: from, starts_until: to, sort, limit } = query;
    // Also deleted ones, whose events can be kept.
    const own = await deps.sources.listSources({ account_id: accountId, kind: 'events' });
    const source_ids = own.map(({ source_id }) => source_id).filter((id) => id === (source ?? id));
    if (source !== undefined && source_ids.length === 0) return UNKNOWN_SOURCE;
    const filter = {
      source_ids,
      ...(status !== undefined && { status }),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    };
    const page = await deps.eventSearch.pageEvents(filter, {
      ...{ descending: sort === '-starts_at', limit },
      ...(after !== undefined && { after: { starts_at: after[0] as number, event_id: after[1] as string } }),
    });
    const items = page.items.map((event) => ({
      record: recordOf(event),
      place: [event.starts_at, event.event_id],
    }));
    return { items, more: page.more };
  },
});

/** One event, as the newest message about it has it. */
export const getEvent = publicRoute({
  method: 'GET',
  path: '/api/public/events/:eventId',
  operationId: 'getEvent',
  tag: 'Events',
  summary: 'Get an event',
  description:
    'Returns an event in the form of the messages about it. A deleted one has `deleted_at`, until it is forgotten.',
  scopes: ['webhooks'],
  params: { eventId: 'Id of an event, `evt_…`.' },
  success: { 200: 'The event.' },
  response: eventRecord,
  etag: eventRecord,
  problems: ['not_found'],
  async handler({ accountId, params }: PublicCall, deps: RouteDeps) {
    const eventId = params.eventId as string;
    const found = (await deps.events.loadPortion([eventId])).events.get(eventId);
    // An action that arrived before its upsert left a marker, which is no event yet.
    if (found?.account_id !== accountId || found.state.created === null)
      return refuse('not_found', 'This account has no event with this id.');
    return { outcome: 'done', body: describeEvent(found), revision: found.revision };
  },
});

/** The record of an event that exists. It equals that of describeEvent. */
function recordOf(event: ListedEvent): EventRecord {
  const { event_id: id, source_id, origin, created_at, updated_at, deleted_at } = event;
  return {
    ...{ id, source_id },
    ...showFields(event),
    origin,
    created_at: formatInstant(created_at ?? 0),
    updated_at: formatInstant(updated_at ?? 0),
    deleted_at: instantOrNull(deleted_at),
  };
}
