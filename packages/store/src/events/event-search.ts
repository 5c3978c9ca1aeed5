import type { EventOrigin, EventStatus } from '@sluice/contract/event/event-fields';
import type { Connection, mongo } from 'mongoose';
import { escaped } from '../deliveries/delivery-search.ts';
import { mergePages, sourceParts } from '../reading/merge-pages.ts';
import type { Page } from '../reading/read-page.ts';
import { nativeCollection } from '../writing/native-collection.ts';
import type { EventDocument } from './event-document.ts';
import { type EventPlace, nextFirst, pageByStart, startOrder, upcomingPage } from './event-pages.ts';
import { type ListedEvent, listedEvent } from './listed-event.ts';
import { type When, whenFilter } from './when-filter.ts';

/** Selects events. All conditions must match. Times are milliseconds since the Unix epoch. */
export interface EventFilter {
  readonly source_ids: readonly string[];
  /** Part of the title or location, case-insensitive. */
  readonly text?: string;
  readonly status?: EventStatus;
  readonly origin?: EventOrigin;
  /** The last import that had them. */
  readonly import_id?: string;
  readonly when?: When | undefined;
  /** Earliest start, included. */
  readonly from?: number;
  /** Latest start, excluded. */
  readonly to?: number;
  readonly include_deleted?: boolean;
  /** Only series. */
  readonly recurring?: true;
}

export interface EventPage {
  /** Latest first instead of earliest first. */
  readonly descending: boolean;
  /** The last event of the previous page. Of an upcoming series, `starts_at` is its next start (next-occurrence.ts). */
  readonly after?: EventPlace;
  readonly limit: number;
}

export interface EventSearch {
  /**
   * By start. Upcoming events, earliest first, are ordered by their next start instead: every series that began before now is
   * read for each page. See read-page.ts for the limits of a page.
   */
  pageEvents(filter: EventFilter, page: EventPage): Promise<Page<ListedEvent>>;
  findEvent(eventId: string): Promise<ListedEvent | undefined>;
  /** How many events of a source exist. Counts up to `limit`. */
  countEvents(sourceId: string, limit: number): Promise<number>;
  /** Whether one of these sources has an event. */
  hasEvents(sourceIds: readonly string[]): Promise<boolean>;
}

const MAX_TIME_MS = 5000;

/** Reads the events. Call `createEvents` on the same connection first: it registers the model. */
export function createEventSearch(connection: Connection): EventSearch {
  const collection = nativeCollection(connection.model<EventDocument>('Event'));
  const maxTimeMS = MAX_TIME_MS;
  return {
    async pageEvents(filter, page) {
      const { when } = filter;
      const parts = sourceParts(filter.source_ids).map((source_ids) => ({ ...filter, source_ids }));
      const byNext = when?.is === 'upcoming' && !page.descending;
      const pages = parts.map((part) =>
        byNext
          ? upcomingPage(collection, {
              filter: conditions({ ...part, when: undefined }),
              ...page,
              now: when.now,
            })
          : pageByStart(collection, { filter: conditions(part), ...page }),
      );
      const order = byNext ? nextFirst(when.now) : startOrder(page.descending);
      return mergePages(await Promise.all(pages), page.limit, order);
    },
    async findEvent(eventId) {
      const document = await collection.findOne({ _id: eventId, created_at: { $ne: null } }, { maxTimeMS });
      return document === null ? undefined : listedEvent(document);
    },
    countEvents: (source_id, limit) =>
      collection.countDocuments({ source_id, exists: true }, { limit, maxTimeMS }),
    async hasEvents(sourceIds) {
      const wanted = { source_id: { $in: [...sourceIds] }, exists: true };
      return (await collection.findOne(wanted, { projection: { _id: 1 }, maxTimeMS })) !== null;
    },
  };
}

function conditions({
  source_ids,
  text,
  status,
  origin,
  import_id,
  when,
  from,
  to,
  include_deleted,
  recurring,
}: EventFilter): mongo.Filter<EventDocument> {
  const part = text === undefined || text === '' ? undefined : { $regex: escaped(text), $options: 'i' };
  const starts = {
    ...(from !== undefined && { $gte: new Date(from) }),
    ...(to !== undefined && { $lt: new Date(to) }),
  };
  return {
    source_id: { $in: [...source_ids] },
    // A marker without a first upsert (no created_at) was never an event.
    ...(include_deleted === true ? { created_at: { $ne: null } } : { exists: true }),
    ...(status !== undefined && { status }),
    ...(recurring === true && { recurring: { $type: 'string' as const } }),
    ...(origin !== undefined && { exists: true, origin: origin === 'webhook' ? { $exists: false } : origin }),
    ...(import_id !== undefined && { 'imported.import_id': import_id }),
    ...(Object.keys(starts).length > 0 && { starts_at: starts }),
    $and: [
      ...(part === undefined ? [] : [{ $or: [{ title: part }, { location: part }] }]),
      ...(when === undefined ? [] : [whenFilter(when)]),
      {},
    ],
  };
}
