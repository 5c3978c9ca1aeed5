import type { Connection, mongo } from 'mongoose';
import { isSet, nativeCollection, nativeSchema } from '../writing/native-collection.ts';
import { fromDocument } from './lead-conversion.ts';
import { isLead, type Lead, type LeadDocument } from './lead-document.ts';
import { type LeadStored, type LeadWrite, writeLead, writeLeads } from './write-leads.ts';

export interface Leads {
  /** Stores a lead with new changes, if it is new or the stored one has the revision before `lead.revision`. */
  writeLead(write: LeadWrite): Promise<LeadStored>;
  /** Stores many in two round trips, each as `writeLead`. An Error is of that lead alone. */
  writeLeads(writes: readonly LeadWrite[]): Promise<readonly (LeadStored | Error)[]>;
  findLead(accountId: string, leadId: string): Promise<Lead | undefined>;
  /** One for each id, of whatever account, in one round trip. The caller must compare the account. */
  findLeadsAnywhere(leadIds: readonly string[]): Promise<readonly (Lead | undefined)[]>;
  /** In the order of the ids. Ids that the account does not have are left out. */
  findLeads(accountId: string, leadIds: readonly string[]): Promise<readonly Lead[]>;
  findByExternalId(accountId: string, externalId: string): Promise<Lead | undefined>;
  /** The lead with an pending change of this request. `requestId`: see PendingChange.request_id. */
  findPendingOf(accountId: string, requestId: string): Promise<Lead | undefined>;
  /** The oldest lead of the account that has one of these words. */
  findOldest(accountId: string, words: readonly string[]): Promise<Lead | undefined>;
  /** `findOldest` for many lists of words, in one round trip. */
  findOldestOfEach(
    accountId: string,
    lists: readonly (readonly string[])[],
  ): Promise<readonly (Lead | undefined)[]>;
  /** Those of the claims that a lead of the account has. */
  heldClaims(accountId: string, claims: readonly string[]): Promise<ReadonlySet<string>>;
  /** Those of the ids that are erased leads. */
  erasedAmong(leadIds: readonly string[]): Promise<ReadonlySet<string>>;
}

const NEWEST_FIRST = { created_at: -1, _id: -1 } as const;
/** Leads bypass mongoose's casts. Their types are in lead-document.ts. */
function leadSchema() {
  return (
    nativeSchema<LeadDocument>()
      .index({ account_id: 1, ...NEWEST_FIRST })
      .index({ account_id: 1, updated_at: -1, _id: -1 })
      // Search, and the filters with which a list is short or in the order of creation.
      .index({ account_id: 1, words: 1, ...NEWEST_FIRST })
      .index({ account_id: 1, facets: 1, updated_at: -1, _id: -1 })
      .index({ account_id: 1, external_id: 1 }, { unique: true, ...isSet('external_id') })
      // An email need not be unique. Only creates that match on it claim it, so that concurrent ones collide.
      .index({ account_id: 1, claims: 1 }, { unique: true, ...isSet('claims') })
      // Few entries: changes that are being published.
      .index({ untold_at: 1 }, isSet('untold_at'))
      // Few entries: leads that were erased.
      .index({ erased_from: 1, erased_at: -1 }, isSet('erased_from'))
      .index({ erase_again_at: 1 }, isSet('erase_again_at'))
  );
}

/** Registers the model. */
export function registerLeads(connection: Connection): void {
  connection.model<LeadDocument>('Lead', leadSchema(), 'leads');
}

/** Call `registerLeads` on the same connection first. */
export function createLeads(connection: Connection): Leads {
  const collection = nativeCollection(connection.model<LeadDocument>('Lead'));
  const findOne = async (
    filter: mongo.Filter<LeadDocument>,
    options?: mongo.FindOptions,
  ): Promise<Lead | undefined> => {
    const document = await collection.findOne(filter, options);
    return document === null ? undefined : fromDocument(document);
  };
  return {
    writeLead: (write) => writeLead(collection, write),
    writeLeads: (writes) => writeLeads(collection, writes),
    findLead: (account_id, leadId) => findOne({ _id: leadId, account_id }),
    async findLeadsAnywhere(leadIds) {
      const found = await collection.find({ _id: { $in: [...new Set(leadIds)] } }).toArray();
      const byId = new Map(found.filter(isLead).map((document) => [document._id, fromDocument(document)]));
      return leadIds.map((id) => byId.get(id));
    },
    async findLeads(account_id, leadIds) {
      const found = await collection.find({ _id: { $in: [...leadIds] }, account_id }).toArray();
      const byId = new Map(found.map((document) => [document._id, document]));
      return leadIds.flatMap((id) => fromDocumentOf(byId.get(id)));
    },
    findByExternalId: (account_id, external_id) => findOne({ account_id, external_id }),
    async findPendingOf(accountId, requestId) {
      // The index of pending changes has few entries. An index of the account would have many.
      const lead = await findOne({ untold_at: { $gte: new Date(0) }, 'untold.request_id': requestId });
      return lead?.account_id === accountId ? lead : undefined;
    },
    findOldest: (accountId, words) => findOldest(collection, accountId, words),
    findOldestOfEach: (accountId, lists) => findOldestOfEach(collection, accountId, lists),
    async heldClaims(account_id, claims) {
      const wanted = { account_id, claims: { $in: [...claims] } };
      const found = await collection.find(wanted, { projection: { claims: 1 } }).toArray();
      const held = new Set(found.flatMap((document) => document.claims ?? []));
      return new Set(claims.filter((claim) => held.has(claim)));
    },
    async erasedAmong(leadIds) {
      const wanted = { _id: { $in: [...leadIds] }, erased_at: { $exists: true } };
      const found = await collection.find(wanted, { projection: { _id: 1 } }).toArray();
      return new Set(found.map(({ _id }) => _id));
    },
  };
}

const fromDocumentOf = (document: LeadDocument | undefined): Lead[] =>
  document === undefined ? [] : [fromDocument(document)];

type LeadCollection = mongo.Collection<LeadDocument>;

/** The oldest lead of the account that has one of these words. */
async function findOldest(
  collection: LeadCollection,
  account_id: string,
  words: readonly string[],
): Promise<Lead | undefined> {
  const options = { sort: { created_at: 1, _id: 1 } } as const;
  const found = await Promise.all(
    words.map((word) => collection.findOne({ account_id, words: word }, options)),
  );
  const oldest = found.filter((document) => document !== null).sort(byAge)[0];
  return oldest && fromDocument(oldest);
}

/** Leads with one word that one command may find, beside one for each word. Nearly always there is one or none. */
const SPARE = 20;

/** `findOldest` for many lists of words, in one round trip. Words that many leads have are looked up one by one. */
async function findOldestOfEach(
  collection: LeadCollection,
  account_id: string,
  lists: readonly (readonly string[])[],
): Promise<readonly (Lead | undefined)[]> {
  const words = new Set(lists.flat());
  const limit = words.size + SPARE;
  const found = await collection.find({ account_id, words: { $in: [...words] } }, { limit }).toArray();
  if (found.length === limit)
    return Promise.all(lists.map((list) => findOldest(collection, account_id, list)));
  const oldest = new Map<string, LeadDocument>();
  for (const document of found.sort(byAge))
    for (const word of document.words ?? [])
      if (words.has(word) && !oldest.has(word)) oldest.set(word, document);
  return lists.map((list) => {
    const [first] = list.flatMap((word) => oldest.get(word) ?? []).sort(byAge);
    return first && fromDocument(first);
  });
}

function byAge(a: LeadDocument, b: LeadDocument): number {
  return (a.created_at?.getTime() ?? 0) - (b.created_at?.getTime() ?? 0) || (a._id < b._id ? -1 : 1);
}
