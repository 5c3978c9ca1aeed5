import type { Connection, mongo } from 'mongoose';
import { connectedDb } from '../connection/connected-db.ts';
import { closeRaw, findRaw } from '../reading/raw-find.ts';
import { type Page, readPage } from '../reading/read-page.ts';
import { nativeCollection } from '../writing/native-collection.ts';
import type { Lead, LeadDocument } from './lead-document.ts';
import { leadFromBytes } from './lead-from-bytes.ts';
import { conditions, type LeadFilter, type LeadPage, type LeadQuery, leadQuery } from './lead-query.ts';

export interface LeadSearch {
  /** See read-page.ts for the limits of a page. */
  pageLeads(filter: LeadFilter, page: LeadPage): Promise<Page<Lead>>;
  /** The number of matching leads, counted up to `limit`. */
  countLeads(filter: LeadFilter, limit: number): Promise<number>;
  /** The newest change of the account's leads, and the newest erasure: MongoDB dates the one, a process the other. */
  newestChanges(accountId: string): Promise<readonly NewestChange[]>;
}

export interface NewestChange {
  readonly lead_id: string;
  /** Milliseconds since the Unix epoch. */
  readonly updated_at: number;
  readonly revision: number;
}

const MAX_TIME_MS = 5000;

/** Reads the leads. Call `createLeads` on the same connection first: it registers the model. */
export function createLeadSearch(connection: Connection): LeadSearch {
  const collection = nativeCollection(connection.model<LeadDocument>('Lead'));
  const pageLeads: LeadSearch['pageLeads'] = (filter, page) =>
    readLeads(collection, connectedDb(connection), leadQuery(filter, page));

  return {
    pageLeads,
    countLeads: (filter, limit) =>
      collection.countDocuments({ $and: conditions(filter) }, { limit, maxTimeMS: MAX_TIME_MS }),
    async newestChanges(account_id) {
      const newest = { by: 'updated_at', descending: true, limit: 1 } as const;
      const [changed, erased] = await Promise.all([
        pageLeads({ account_id }, newest),
        newestErasure(collection, account_id),
      ]);
      return [...changed.items.map(versionOf), ...erased];
    },
  };
}

async function readLeads(
  collection: mongo.Collection<LeadDocument>,
  db: mongo.Db,
  { filter, sort, limit }: LeadQuery,
): Promise<Page<Lead>> {
  const { collectionName } = collection;
  const batch = await findRaw(db, {
    find: collectionName,
    filter,
    sort,
    limit: limit + 1,
    batchSize: limit + 2,
    maxTimeMS: MAX_TIME_MS,
  });
  await closeRaw(db, collectionName, batch);
  const page = await readPage(batch.firstBatch, limit, leadFromBytes, jsonBytes);
  // A batch ends at 16 MiB.
  return batch.id.isZero() ? page : { ...page, more: true };
}

const versionOf = ({ lead_id, updated_at, revision }: Lead): NewestChange => ({
  lead_id,
  updated_at,
  revision,
});

/** The newest erasure, or nothing. */
async function newestErasure(
  collection: mongo.Collection<LeadDocument>,
  account_id: string,
): Promise<readonly NewestChange[]> {
  const options = { projection: { erased_at: 1, revision: 1 }, sort: { erased_at: -1 } } as const;
  const document = await collection.findOne({ erased_from: account_id }, options);
  if (document?.erased_at === undefined) return [];
  return [{ lead_id: document._id, updated_at: document.erased_at.getTime(), revision: document.revision }];
}

/** The names of the fields, ids, times and punctuation. */
const REST = 420;

/** The bytes of a lead in JSON, but for characters that JSON escapes. Making the JSON would cost more than all else of a list. */
export function jsonBytes({ name, company, email, phone, external_id, note, tags, fields }: Lead): number {
  let bytes = REST;
  for (const text of [name, company, email, phone, external_id, note]) if (text) bytes += bytesOf(text);
  for (const tag of tags) bytes += bytesOf(tag);
  for (const [key, value] of fields) bytes += bytesOf(key) + bytesOf(String(value));
  return bytes;
}

/** With quotes and a comma. */
const bytesOf = (text: string): number => Buffer.byteLength(text) + 3;
