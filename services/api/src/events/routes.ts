import { countWithin, type Limits } from '@sluice/contract/delivery/within-limits';
import { showFields } from '@sluice/contract/event/event-record';
import { nextOccurrence } from '@sluice/contract/event/next-occurrence';
import { instantOrNull } from '@sluice/contract/time/instant';
import { type EventItem, eventQuery } from '@sluice/dashboard-api/events';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { knownMapperOf } from '@sluice/signature/mapping/mapper';
import { addressOf, type ListedEvent } from '@sluice/store/events/listed-event';
import { PAGE_BYTES } from '@sluice/store/reading/read-page';
import type { Source } from '@sluice/store/sources/source';
import * as z from 'zod';
import { describeDelivery } from '../deliveries/describe-delivery.ts';
import type { Binder } from '../http/bind.ts';
import { nextCursor, placeTime, readCursor } from '../http/cursor.ts';
import { done, notFound, refuse } from '../http/result.ts';
import type { SignedIn } from '../http/signed-in.ts';
import type { RouteDeps } from '../parts.ts';
import { changesOf } from './changes.ts';
import { enqueueAudited } from './enqueue-audited.ts';
import { storeFilter } from './filter.ts';
import { contentToRestore, restoring } from './restore.ts';

const PAGE = 50;
/** With the time of the first page. */
const PLACE = z.tuple([placeTime, z.string(), placeTime]);
const HISTORY = 100;
/** Changes contain event texts before and after. What exceeds the page is omitted, oldest first. */
const ONE_PAGE: Limits<object> = {
  sizeOf: (change) => Buffer.byteLength(JSON.stringify(change)),
  maxItems: HISTORY,
  maxSize: PAGE_BYTES,
};

/** The account's events: list, search, show with history, cancel, delete, restore. */
export function eventRoutes({ guarded }: Binder, deps: RouteDeps): void {
  const { sources, eventSearch, now } = deps;

  guarded(ROUTES.events.list, { query: eventQuery }, async ({ who, query }) => {
    const own = await sources.listSources({ account_id: who.accountId, kind: 'events' });
    const names = namesOf(own);
    const from = readCursor(query.cursor, PLACE);
    if (from.outcome === 'refused') return from;
    const { place } = from;
    if (query.source_id !== undefined && !names.has(query.source_id)) return notFound('source');
    // All pages of a list are ordered by the time of its first page.
    const at = place?.[2] ?? now();
    const page = await eventSearch.pageEvents(storeFilter(query, [...names.keys()], at), {
      descending: query.when === 'past',
      limit: query.limit ?? PAGE,
      ...(place !== undefined && { after: { starts_at: place[0], event_id: place[1] } }),
    });
    const startOf = (event: ListedEvent) =>
      query.when === 'upcoming' ? nextOccurrence(event, at) : event.starts_at;
    const next_cursor = nextCursor(page, (last) => [startOf(last), last.event_id, at]);
    return done({ items: page.items.map((event) => describeEvent(event, names)), next_cursor });
  });

  const ownEvent = async (who: SignedIn, eventId = ''): Promise<ListedEvent | undefined> => {
    const event = await eventSearch.findEvent(eventId);
    return event?.account_id === who.accountId ? event : undefined;
  };

  guarded(ROUTES.events.show, {}, async ({ who, params }) => {
    const event = await ownEvent(who, params.eventId);
    if (event === undefined) return notFound('event');
    const own = await sources.listSources({ account_id: who.accountId, kind: 'events' });
    const names = namesOf(own);
    const history = await deps.deliverySearch.historyOfEvent(event.event_id, HISTORY);
    const mapper = knownMapperOf(names.get(event.source_id)?.sender);
    const restores_from = await contentToRestore({ ...deps, mapper }, event);
    return done({
      event: describeEvent(event, names),
      history: history.map(describeDelivery),
      restores_from,
    });
  });

  guarded(ROUTES.events.changes, {}, async ({ who, params }) => {
    const event = await ownEvent(who, params.eventId);
    if (event === undefined) return notFound('event');
    const [rows, { events: stored }, source] = await Promise.all([
      // One extra row, for comparison with the oldest one shown.
      deps.deliverySearch.historyWithBodies(event.event_id, HISTORY + 1),
      deps.events.loadPortion([event.event_id]),
      sources.findSource(event.source_id),
    ]);
    const beforeFirst = rows.length > HISTORY ? 'before_not_listed' : 'before_left_log';
    const state = stored.get(event.event_id)?.state;
    const changes = changesOf({ rows, beforeFirst, state, mapper: knownMapperOf(source?.sender) });
    const items = rows.slice(0, HISTORY).flatMap(({ delivery_id }) => {
      const change = changes.get(delivery_id);
      return change === undefined ? [] : [{ delivery_id, ...change }];
    });
    return done({ items: items.slice(0, countWithin(items, ONE_PAGE)) });
  });

  for (const [route, kind, action] of [
    [ROUTES.events.cancel, 'cancel', 'event.cancelled'],
    [ROUTES.events.delete, 'delete', 'event.deleted'],
  ] as const) {
    guarded(route, {}, async ({ who, params, request }) => {
      const event = await ownEvent(who, params.eventId);
      if (event === undefined || event.deleted_at !== null) return notFound('event');
      const wanted = { action: { kind, ...addressOf(event) } };
      const deed = { action, target: { id: event.event_id, name: event.title } };
      const asked = { sourceId: event.source_id, wanted, deed };
      const result = await enqueueAudited(deps, { who, request }, asked);
      return result.outcome === 'enqueued' ? done({ delivery_id: result.delivery_id }) : result;
    });
  }

  guarded(ROUTES.events.restore, {}, async ({ who, params, request }) => {
    const event = await ownEvent(who, params.eventId);
    if (event === undefined) return notFound('event');
    const source = await sources.findSource(event.source_id);
    if (source?.deleted?.events === 'delete')
      return refuse('conflict', 'The source was deleted with its events, so they cannot be restored.');
    const wanted = await restoring({ ...deps, mapper: knownMapperOf(source?.sender) }, event);
    if (wanted === undefined)
      return refuse(
        'conflict',
        'No delivery in the log has the content of this event. Send it again, or import it again.',
      );
    const target = { id: event.event_id, name: event.title };
    const deed = { action: 'event.restored', target } as const;
    const asked = { sourceId: event.source_id, wanted, deed };
    const result = await enqueueAudited(deps, { who, request }, asked);
    return result.outcome === 'enqueued' ? done({ delivery_id: result.delivery_id }) : result;
  });
}

type SourceNames = ReadonlyMap<string, Source>;

function namesOf(sources: readonly Source[]): SourceNames {
  return new Map(sources.map((source) => [source.source_id, source]));
}

function describeEvent(event: ListedEvent, names: SourceNames): EventItem {
  const { account_id: _, recurs_until, created_at, updated_at, deleted_at, ...rest } = event;
  return {
    ...rest,
    ...showFields(event),
    source_name: names.get(event.source_id)?.name ?? event.source_id,
    source_deleted: names.get(event.source_id)?.deleted !== undefined,
    recurs_until: instantOrNull(recurs_until),
    created_at: instantOrNull(created_at),
    updated_at: instantOrNull(updated_at),
    deleted_at: instantOrNull(deleted_at),
  };
}
