import { nextOccurrence } from '@sluice/contract/event/next-occurrence';
import type { mongo } from 'mongoose';
import { LIST_BATCH } from '../reading/list-batch.ts';
import { compareTexts, mergePages } from '../reading/merge-pages.ts';
import { type Page, readPage } from '../reading/read-page.ts';
import type { EventDocument } from './event-document.ts';
import { type ListedEvent, listedEvent } from './listed-event.ts';
import { runningSeries } from './when-filter.ts';

/** A position in a list of events. `starts_at`: milliseconds since the Unix epoch. */
export type EventPlace = Pick<ListedEvent, 'starts_at' | 'event_id'>;

type Collection = mongo.Collection<EventDocument>;

interface PageQuery {
  readonly filter: mongo.Filter<EventDocument>;
  readonly after?: EventPlace;
  readonly limit: number;
}

const maxTimeMS = 5000;

/** A page in the order of the first start. */
export async function pageByStart(
  collection: Collection,
  { filter, descending, after, limit }: PageQuery & { readonly descending: boolean },
): Promise<Page<ListedEvent>> {
  const direction = descending ? -1 : 1;
  const wanted = after === undefined ? filter : { $and: [filter, beyond(after, descending)] };
  const cursor = collection
    .find(wanted, { maxTimeMS })
    .sort({ starts_at: direction, _id: direction })
    .limit(limit + 1);
  return readPage(cursor, limit, listedEvent);
}

/**
 * A page in the order of the next start at or after `now` (milliseconds since the Unix epoch). Only a series that began before
 * has another next start than its first one. The next start changes with time, so it is not stored.
 */
export async function upcomingPage(
  collection: Collection,
  { filter, now, ...page }: PageQuery & { readonly now: number },
): Promise<Page<ListedEvent>> {
  const later = { $and: [filter, { starts_at: { $gte: new Date(now) } }] };
  const running = { $and: [filter, runningSeries(now)] };
  const pages = await Promise.all([
    pageByStart(collection, { ...page, filter: later, descending: false }),
    seriesPage(collection, { ...page, filter: running, now }),
  ]);
  return mergePages(pages, page.limit, nextFirst(now));
}

/** Reads a few fields of every series, and then the first ones of them whole. */
async function seriesPage(
  collection: Collection,
  { filter, after, limit, now }: PageQuery & { readonly now: number },
): Promise<Page<ListedEvent>> {
  const projection = { starts_at: 1, recurring: 1, recurs_until: 1, time_zone: 1 };
  const all = collection.find(filter, { projection, maxTimeMS }).batchSize(LIST_BATCH);
  const first: EventPlace[] = [];
  for await (const { _id, starts_at, recurring = null, recurs_until, time_zone = null } of all) {
    const times = { starts_at: starts_at.getTime(), recurs_until: recurs_until?.getTime() ?? null };
    const next = nextOccurrence({ ...times, recurring, time_zone }, now);
    const place = { starts_at: next, event_id: _id };
    if (after !== undefined && compare(place, after) <= 0) continue;
    first.push(place);
    if (first.length > 10 * limit) first.sort(compare).splice(limit + 1);
  }
  const ids = first
    .sort(compare)
    .slice(0, limit + 1)
    .map(({ event_id }) => event_id);
  if (ids.length === 0) return { items: [], more: false };
  const documents = await collection.find({ _id: { $in: ids } }, { maxTimeMS }).toArray();
  const byId = new Map(documents.map((document) => [document._id, document]));
  return readPage(inOrder(ids, byId), limit, listedEvent);
}

async function* inOrder(ids: readonly string[], byId: ReadonlyMap<string, EventDocument>) {
  for (const id of ids) {
    const document = byId.get(id);
    if (document !== undefined) yield document;
  }
}

function compare(a: EventPlace, b: EventPlace): number {
  return a.starts_at - b.starts_at || compareTexts(a.event_id, b.event_id);
}

/** The order of `upcomingPage`. */
export function nextFirst(now: number): (a: ListedEvent, b: ListedEvent) => number {
  const placeOf = (event: ListedEvent) => ({ ...event, starts_at: nextOccurrence(event, now) });
  return (a, b) => compare(placeOf(a), placeOf(b));
}

/** The order of `pageByStart`. */
export function startOrder(descending: boolean): (a: ListedEvent, b: ListedEvent) => number {
  return descending ? (a, b) => compare(b, a) : compare;
}

function beyond({ starts_at, event_id }: EventPlace, descending: boolean): mongo.Filter<EventDocument> {
  const at = new Date(starts_at);
  return descending
    ? { $or: [{ starts_at: { $lt: at } }, { starts_at: at, _id: { $lt: event_id } }] }
    : { $or: [{ starts_at: { $gt: at } }, { starts_at: at, _id: { $gt: event_id } }] };
}
