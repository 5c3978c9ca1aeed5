import type { Connection, mongo } from 'mongoose';
import { createBoundedPages, type TimedList } from './bounded-pages.ts';
import { escaped } from './delivery-search.ts';
import { jsonBytes } from './lead-bytes.ts';
import { fromDocument } from './lead-conversion.ts';
import type { Lead, LeadDocument } from './lead-document.ts';
import { nativeCollection } from './native-collection.ts';
import { type Page, readPage } from './read-page.ts';
import type { ServerKind } from './server-kind.ts';

/** Selects leads of an account. All conditions must match. */
export interface LeadFilter {
  readonly account_id: string;
  readonly external_id?: string;
  /** A lead must have one word of each list. The rarest list comes first: it selects by the index. */
  readonly words?: readonly (readonly string[])[];
  /** Beginnings of words that are longer than any stored beginning. */
  readonly long_words?: readonly string[];
  /** Like `words`, for lists in the order of changes. */
  readonly facets?: readonly string[];
  /** Earliest change, included. Milliseconds since the Unix epoch. */
  readonly updated_since?: number;
  /** How many leads the filter selects. Default: unknown. */
  readonly selects?: 'few';
}

export interface LeadPlace {
  /** The time that the list is sorted by. Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly lead_id: string;
}

export interface LeadPage {
  readonly by: 'created_at' | 'updated_at';
  readonly descending: boolean;
  /** The last lead of the previous page. */
  readonly after?: LeadPlace;
  readonly limit: number;
}

export interface LeadSearch {
  /** See read-page.ts for the limits of a page. */
  pageLeads(filter: LeadFilter, page: LeadPage): Promise<Page<Lead>>;
  /** The number of matching leads, counted up to `limit`. */
  countLeads(filter: LeadFilter, limit: number): Promise<number>;
  /** The newest change of the account's leads. Erased leads count, with the time of the erasure. */
  newestChange(accountId: string): Promise<NewestChange | undefined>;
}

export interface NewestChange {
  readonly lead_id: string;
  /** Milliseconds since the Unix epoch. */
  readonly updated_at: number;
  readonly revision: number;
}

const MAX_TIME_MS = 5000;

/** Reads the leads. Call `createLeads` on the same connection first: it registers the model. */
export function createLeadSearch(
  connection: Connection,
  { serverKind }: { readonly serverKind: () => Promise<ServerKind> },
): LeadSearch {
  const collection = nativeCollection(connection.model<LeadDocument>('Lead'));
  const maxTimeMS = MAX_TIME_MS;
  const withinBounds = createBoundedPages<Lead>();
  return {
    async pageLeads(filter, page) {
      const read = (bound: number | undefined) => readLeads(collection, { filter, page, bound });
      if (filter.selects === 'few' || (await serverKind()) !== 'documentdb') return read(undefined);
      return withinBounds(listOf(filter, page), read);
    },
    countLeads: (filter, limit) =>
      collection.countDocuments({ $and: conditions(filter) }, { limit, maxTimeMS }),
    newestChange: (accountId) => newestChange(collection, accountId),
  };
}

function listOf(filter: LeadFilter, { by, descending, after }: LeadPage): TimedList<Lead> {
  const { updated_since, ...rest } = filter;
  const since = by === 'updated_at' && !descending ? updated_since : undefined;
  // A list with another updated_since has other first pages.
  const name = JSON.stringify([by, descending, since === undefined ? filter : rest]);
  return { name, descending, after: after?.at ?? since, timeOf: (lead) => lead[by] };
}

interface Reading {
  readonly filter: LeadFilter;
  readonly page: LeadPage;
  /** The furthest time of the page (bounded-pages.ts). */
  readonly bound: number | undefined;
}

function readLeads(
  collection: mongo.Collection<LeadDocument>,
  { filter, page, bound }: Reading,
): Promise<Page<Lead>> {
  const { by, descending, after, limit } = page;
  const direction = descending ? -1 : 1;
  const bounds = bound === undefined ? [] : [{ [by]: { [descending ? '$gte' : '$lte']: new Date(bound) } }];
  const cursor = collection
    .find(
      { $and: [...conditions(filter), ...beyond(by, after, descending), ...bounds] },
      { maxTimeMS: MAX_TIME_MS },
    )
    .sort({ [by]: direction, _id: direction })
    .limit(limit + 1);
  return readPage(cursor, limit, fromDocument, jsonBytes);
}

function conditions(filter: LeadFilter): mongo.Filter<LeadDocument>[] {
  const { account_id, external_id, words = [], long_words = [], facets = [], updated_since } = filter;
  return [
    { account_id },
    ...(external_id === undefined ? [] : [{ external_id }]),
    ...words.map((some) => ({ words: some.length === 1 ? (some[0] as string) : { $in: [...some] } })),
    ...facets.map((facet) => ({ facets: facet })),
    ...long_words.map((beginning) => ({ long_words: { $regex: `^${escaped(beginning)}` } })),
    ...(updated_since === undefined ? [] : [{ updated_at: { $gte: new Date(updated_since) } }]),
  ];
}

/** The leads after one. The bound of the time is separate, so that every engine uses it as a range of the index. */
function beyond(
  by: LeadPage['by'],
  after: LeadPlace | undefined,
  descending: boolean,
): mongo.Filter<LeadDocument>[] {
  if (after === undefined) return [];
  const at = new Date(after.at);
  const id = descending ? { $lt: after.lead_id } : { $gt: after.lead_id };
  const further = descending ? { $lt: at } : { $gt: at };
  return [
    { [by]: descending ? { $lte: at } : { $gte: at } },
    { $or: [{ [by]: further }, { _id: id }] } as mongo.Filter<LeadDocument>,
  ];
}

async function newestChange(
  collection: mongo.Collection<LeadDocument>,
  account_id: string,
): Promise<NewestChange | undefined> {
  const projection = { updated_at: 1, erased_at: 1, revision: 1 };
  const [changed, erased] = await Promise.all([
    collection.findOne({ account_id }, { projection, sort: { updated_at: -1, _id: -1 } }),
    collection.findOne({ erased_from: account_id }, { projection, sort: { erased_at: -1 } }),
  ]);
  const changes = [changed, erased].flatMap((document) => {
    const at = document?.updated_at ?? document?.erased_at;
    if (!document || at === undefined) return [];
    return [{ lead_id: document._id, updated_at: at.getTime(), revision: document.revision }];
  });
  return changes.sort((a, b) => b.updated_at - a.updated_at)[0];
}
