import type { Delivery, DeliveryAction, ListedDelivery, Outcome } from '@sluice/contract/delivery/delivery';
import type { ProblemCode } from '@sluice/contract/problem/problem';
import type { Connection, mongo } from 'mongoose';
import { LIST_BATCH } from '../reading/list-batch.ts';
import { compareTexts, mergePages, sourceParts } from '../reading/merge-pages.ts';
import { type Page, readPage } from '../reading/read-page.ts';
import { nativeCollection } from '../writing/native-collection.ts';
import { type DeliveryDocument, fromDocument, LISTED, NEWEST_FIRST, REFUSED } from './deliveries.ts';

/** Selects rows of the log of one source or of several. All conditions must match. Times are milliseconds since the Unix epoch. */
export interface DeliveryFilter {
  readonly source_id: string | readonly string[];
  /** HTTP status range: from (included) to (excluded). */
  readonly status?: readonly [from: number, to: number];
  readonly code?: ProblemCode;
  readonly action?: DeliveryAction;
  readonly outcome?: Outcome;
  readonly from?: number;
  /** Excluded. */
  readonly to?: number;
  /** Part of the title, case-insensitive. */
  readonly title?: string;
  readonly event_id?: string;
  /** Only rows of requests, or only rows that an import or an admin made. */
  readonly by_request?: boolean;
  /** Only requests whose body was kept. The others can't be reprocessed. */
  readonly with_body?: boolean;
  /** Only requests with a 200 that were not applied. */
  readonly unapplied?: true;
}

/**
 * How much later than newer rows a row may be written and still be seen by readers of new rows. Workers write concurrently, and
 * a killed worker's rows follow within 15 s. Milliseconds.
 */
export const WRITTEN_WITHIN_MS = 30_000;

/** A position in the log: the last row of a page. */
export type DeliveryPlace = Pick<Delivery, 'received_at' | 'sequence' | 'delivery_id'>;

export interface DeliverySearch {
  /** Newest first, after `after`. See read-page.ts for the limits of a page. */
  pageDeliveries(
    filter: DeliveryFilter,
    page: { after?: DeliveryPlace; limit: number },
  ): Promise<Page<ListedDelivery>>;
  /** Includes the kept request. */
  findDelivery(deliveryId: string): Promise<Delivery | undefined>;
  /** The row of a refused request, with the kept parts of the request. */
  findRefusal(requestId: string): Promise<Delivery | undefined>;
  countDeliveries(filter: DeliveryFilter): Promise<number>;
  /** How many of these deliveries are in the log. */
  countLogged(deliveryIds: readonly string[]): Promise<number>;
  /** Counts up to `limit` rows. */
  countRows(filter: DeliveryFilter, limit: number): Promise<number>;
  /** Oldest first, after `after`, with the kept requests. */
  oldestDeliveries(
    filter: DeliveryFilter,
    limit: number,
    after?: DeliveryPlace,
  ): Promise<readonly Delivery[]>;
  /** The ids of the oldest matching deliveries. */
  oldestIds(filter: DeliveryFilter, limit: number): Promise<readonly string[]>;
  /** Those of the deliveries that were reprocessed already, and whose reprocessing did not fail. */
  reprocessedAmong(deliveryIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Ids of the deliveries that reprocess this one, oldest first. */
  listReprocesses(deliveryId: string): Promise<readonly string[]>;
  /** Id of the previous delivery of the same event. */
  previousOfEvent(row: DeliveryPlace & Pick<Delivery, 'event_id'>): Promise<string | undefined>;
  /** Newest first. */
  historyOfEvent(eventId: string, limit: number): Promise<readonly ListedDelivery[]>;
  /** Newest first, with the kept requests. `outcomes`: those with one of them only. */
  historyWithBodies(
    eventId: string,
    limit: number,
    outcomes?: readonly Outcome[],
  ): Promise<readonly Delivery[]>;
}

/** A user waits for the response. A filter with few matches in a large log must not occupy the server for long. */
const MAX_TIME_MS = 5000;

/** The index of an event's rows doesn't order rows within a millisecond, so they are sorted here. */
function byAdmission(a: Delivery, b: Delivery): number {
  return b.received_at - a.received_at || (b.sequence ?? 0) - (a.sequence ?? 0);
}

/** The order of NEWEST_FIRST. */
function newestFirst(a: ListedDelivery, b: ListedDelivery): number {
  const bySequence = (b.sequence ?? -1) - (a.sequence ?? -1);
  return b.received_at - a.received_at || bySequence || compareTexts(b.delivery_id, a.delivery_id);
}

const OLDEST_FIRST = { received_at: 1, sequence: 1, _id: 1 } as const;

/** Reads the delivery log. Call `createDeliveries` on the same connection first: it registers the model. */
export function createDeliverySearch(connection: Connection): DeliverySearch {
  const collection = nativeCollection(connection.model<DeliveryDocument>('Delivery'));
  const maxTimeMS = MAX_TIME_MS;
  const lean = { projection: LISTED, maxTimeMS };

  async function history(filter: mongo.Filter<DeliveryDocument>, limit: number, options: mongo.FindOptions) {
    const cursor = collection.find(filter, options).sort({ received_at: -1 }).limit(limit);
    return (await cursor.toArray()).map(fromDocument).sort(byAdmission);
  }

  return {
    async pageDeliveries(filter, { after, limit }) {
      const { source_id } = filter;
      const parts = typeof source_id === 'string' ? [source_id] : sourceParts(source_id);
      const pages = parts.map((part) => {
        const own = conditions({ ...filter, source_id: part });
        const cursor = collection
          .find(after === undefined ? own : { $and: [own, olderThan(after)] }, lean)
          .sort(NEWEST_FIRST)
          .limit(limit + 1)
          .batchSize(LIST_BATCH);
        return readPage(cursor, limit, fromDocument);
      });
      return mergePages(await Promise.all(pages), limit, newestFirst);
    },
    async findDelivery(deliveryId) {
      const document = await collection.findOne({ _id: deliveryId }, { maxTimeMS });
      return document === null ? undefined : fromDocument(document);
    },
    countLogged: (deliveryIds) =>
      collection.countDocuments({ _id: { $in: [...deliveryIds] } }, { maxTimeMS }),
    async findRefusal(request_id) {
      const document = await collection.findOne({ request_id, ...REFUSED }, { maxTimeMS });
      return document === null ? undefined : fromDocument(document);
    },
    countDeliveries: (filter) => collection.countDocuments(conditions(filter), { maxTimeMS }),
    countRows: (filter, limit) => collection.countDocuments(conditions(filter), { limit, maxTimeMS }),
    async oldestDeliveries(filter, limit, after) {
      const wanted =
        after === undefined ? conditions(filter) : { $and: [conditions(filter), newerThan(after)] };
      const cursor = collection.find(wanted, { maxTimeMS }).sort(OLDEST_FIRST).limit(limit);
      return (await cursor.toArray()).map(fromDocument);
    },
    async oldestIds(filter, limit) {
      const options = { projection: { _id: 1 }, maxTimeMS };
      const cursor = collection.find(conditions(filter), options).sort(OLDEST_FIRST).limit(limit);
      return (await cursor.toArray()).map(({ _id }) => _id);
    },
    async reprocessedAmong(deliveryIds) {
      const wanted: mongo.Filter<DeliveryDocument> = {
        reprocess_of: { $in: [...deliveryIds], $type: 'string' },
        code: null,
        outcome: { $ne: 'failed' },
      };
      const options = { projection: { reprocess_of: 1 }, maxTimeMS };
      const found = await collection.find(wanted, options).toArray();
      return new Set(found.flatMap(({ reprocess_of }) => reprocess_of ?? []));
    },
    async listReprocesses(deliveryId) {
      const options = { projection: { _id: 1 }, maxTimeMS };
      const cursor = collection
        .find({ reprocess_of: deliveryId }, options)
        .sort({ received_at: 1 })
        .limit(100);
      return (await cursor.toArray()).map(({ _id }) => _id);
    },
    async previousOfEvent({ event_id, ...place }) {
      if (event_id === null) return undefined;
      const wanted = { $and: [{ event_id }, olderThan(place)] };
      const options = { projection: { _id: 1 }, sort: NEWEST_FIRST, maxTimeMS };
      return (await collection.findOne(wanted, options))?._id;
    },
    historyOfEvent: (event_id, limit) => history({ event_id }, limit, lean),
    historyWithBodies: (event_id, limit, outcomes) =>
      history({ event_id, ...(outcomes && { outcome: { $in: [...outcomes] } }) }, limit, { maxTimeMS }),
  };
}

function conditions(filter: DeliveryFilter): mongo.Filter<DeliveryDocument> {
  const { source_id, status, from, to, title, with_body, by_request, unapplied, ...exact } = filter;
  const present = Object.entries(exact).filter(([, value]) => value !== undefined);
  const received = {
    ...(from !== undefined && { $gte: new Date(from) }),
    ...(to !== undefined && { $lt: new Date(to) }),
  };
  return {
    source_id: typeof source_id === 'string' ? source_id : { $in: [...source_id] },
    ...Object.fromEntries(present),
    ...(status !== undefined && { http_status: { $gte: status[0], $lt: status[1] } }),
    ...(Object.keys(received).length > 0 && { received_at: received }),
    ...(title !== undefined && title !== '' && { title: { $regex: escaped(title), $options: 'i' } }),
    ...(unapplied && { unapplied: { $exists: true } }),
    ...(by_request !== undefined && { origin: { $exists: !by_request } }),
    // Only original requests can be reprocessed, not reprocessed ones.
    ...(with_body === true && { 'request.body': { $type: 'string' }, reprocess_of: { $exists: false } }),
  };
}

/** The rows after a row in NEWEST_FIRST order. In descending order null comes after every number. */
function olderThan({ received_at, sequence, delivery_id }: DeliveryPlace): mongo.Filter<DeliveryDocument> {
  const at = new Date(received_at);
  const sameInstant: mongo.Filter<DeliveryDocument>[] = [
    { received_at: at, sequence, _id: { $lt: delivery_id } },
    ...(sequence === null
      ? []
      : [
          { received_at: at, sequence: { $lt: sequence } },
          { received_at: at, sequence: null },
        ]),
  ];
  return { $or: [{ received_at: { $lt: at } }, ...sameInstant] };
}

/** The rows after a row in OLDEST_FIRST order. In ascending order null comes before every number. */
function newerThan({ received_at, sequence, delivery_id }: DeliveryPlace): mongo.Filter<DeliveryDocument> {
  const at = new Date(received_at);
  const later = sequence === null ? { $ne: null } : { $gt: sequence };
  return {
    $or: [
      { received_at: { $gt: at } },
      { received_at: at, sequence, _id: { $gt: delivery_id } },
      { received_at: at, sequence: later },
    ],
  };
}

/** Escapes a search text, so that a regular expression matches it literally. */
export function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
