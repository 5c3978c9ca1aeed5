import type { EventOrigin, EventStatus } from '@sluice/contract/event-fields';
import type { Connection, mongo } from 'mongoose';
import { escaped } from './delivery-search.ts';
import type { EventDocument } from './event-document.ts';
import { type ListedEvent, listedEvent } from './listed-event.ts';
import { nativeCollection } from './native-collection.ts';
import { type Page, readPage } from './read-page.ts';
import { type When, whenFilter } from './when-filter.ts';

/** Selects events. All conditions must match. Times are milliseconds since the Unix epoch. */
export interface EventFilter {
  readonly source_ids: readonly string[];
  /** Part of the title or location, case-insensitive. */
  readonly text?: string;
  readonly status?: EventStatus;
  readonly origin?: EventOrigin;
  readonly when?: When;
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
  /** The last event of the previous page. */
  readonly after?: Pick<ListedEvent, 'starts_at' | 'event_id'>;
  readonly limit: number;
}

export interface EventSearch {
  /** See read-page.ts for the limits of a page. */
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
    async pageEvents(filter, { descending, after, limit }) {
      const direction = descending ? -1 : 1;
      const wanted =
        after === undefined ? conditions(filter) : { $and: [conditions(filter), beyond(after, descending)] };
      const cursor = collection
        .find(wanted, { maxTimeMS })
        .sort({ starts_at: direction, _id: direction })
        .limit(limit + 1);
      return readPage(cursor, limit, listedEvent);
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
    ...(Object.keys(starts).length > 0 && { starts_at: starts }),
    $and: [
      ...(part === undefined ? [] : [{ $or: [{ title: part }, { location: part }] }]),
      ...(when === undefined ? [] : [whenFilter(when)]),
      {},
    ],
  };
}

function beyond(
  { starts_at, event_id }: NonNullable<EventPage['after']>,
  descending: boolean,
): mongo.Filter<EventDocument> {
  const at = new Date(starts_at);
  return descending
    ? { $or: [{ starts_at: { $lt: at } }, { starts_at: at, _id: { $lt: event_id } }] }
    : { $or: [{ starts_at: { $gt: at } }, { starts_at: at, _id: { $gt: event_id } }] };
}
