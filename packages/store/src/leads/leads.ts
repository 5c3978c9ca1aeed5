import { type Connection, type mongo, Schema } from 'mongoose';
import { nativeCollection } from '../writing/native-collection.ts';
import { findOldest, findOldestOfEach } from './find-oldest.ts';
import { fromDocument } from './lead-conversion.ts';
import { isLead, type Lead, type LeadDocument } from './lead-document.ts';
import type { LeadSegments } from './lead-segments.ts';
import {
  changeLead,
  changeLeads,
  insertLead,
  insertLeads,
  inTime,
  isLate,
  type LeadChange,
  type LeadChanged,
  type LeadInserted,
  LOST_RACE,
  type NewLead,
} from './write-leads.ts';

export interface Leads {
  /**
   * `duplicate`: a lead with this id, external id, or one of the claims exists, or is being written. `late`: see LeadInserted.
   */
  insertLead(lead: NewLead): Promise<Exclude<LeadInserted, Error>>;
  /** Inserts many in one round trip, in a segment (lead-segments.ts). An Error is of that lead alone. */
  insertLeads(leads: readonly NewLead[]): Promise<readonly LeadInserted[]>;
  findLead(accountId: string, leadId: string): Promise<Lead | undefined>;
  /** One for each id, of whatever account, in one round trip. The caller must compare the account. */
  findLeadsAnywhere(leadIds: readonly string[]): Promise<readonly (Lead | undefined)[]>;
  /** In the order of the ids. Ids that the account does not have are left out. */
  findLeads(accountId: string, leadIds: readonly string[]): Promise<readonly Lead[]>;
  findByExternalId(accountId: string, externalId: string): Promise<Lead | undefined>;
  /** The lead with an untold change of this request. `requestId`: see UntoldChange.request_id. */
  findUntoldOf(accountId: string, requestId: string): Promise<Lead | undefined>;
  /** The oldest lead of the account that has one of these words. */
  findOldest(accountId: string, words: readonly string[]): Promise<Lead | undefined>;
  /** `findOldest` for many lists of words, in one round trip. */
  findOldestOfEach(
    accountId: string,
    lists: readonly (readonly string[])[],
  ): Promise<readonly (Lead | undefined)[]>;
  /** Those of the claims that a lead of the account has. */
  heldClaims(accountId: string, claims: readonly string[]): Promise<ReadonlySet<string>>;
  /** Stores the lead with new changes, if the stored one still has the revision before `lead.revision`. */
  changeLead(change: LeadChange): Promise<LeadChanged>;
  /** Stores many in one round trip and in a segment, each as `changeLead`. An Error is of that lead alone. */
  changeLeads(changes: readonly LeadChange[]): Promise<readonly (LeadChanged | Error)[]>;
  /**
   * Since when a write may be under way in some process, in milliseconds since the Unix epoch. Undefined: there is none. A write
   * that ends later has times of at most LATEST_MS before.
   */
  oldestWrite(): Promise<number | undefined>;
  /** Those of the ids that are erased leads. */
  erasedAmong(leadIds: readonly string[]): Promise<ReadonlySet<string>>;
}

const NEWEST_FIRST = { created_at: -1, _id: -1 } as const;
/** Each look lasts milliseconds, and a process opens a segment once a second. */
const MOST_LOOKS = 5;
const isSet = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } });

/** Leads bypass mongoose's casts. Their types are in lead-document.ts. */
function leadSchema() {
  return (
    new Schema<LeadDocument>({ _id: String }, { strict: false, versionKey: false })
      .index({ account_id: 1, ...NEWEST_FIRST })
      .index({ account_id: 1, updated_at: -1, _id: -1 })
      // Search, and the filters with which a list is short or in the order of creation.
      .index({ account_id: 1, words: 1, ...NEWEST_FIRST })
      .index({ account_id: 1, facets: 1, updated_at: -1, _id: -1 })
      .index({ account_id: 1, external_id: 1 }, { unique: true, ...isSet('external_id') })
      // An email need not be unique. Only creates that match on it claim it, so that concurrent ones collide.
      .index({ account_id: 1, claims: 1 }, { unique: true, ...isSet('claims') })
      // Few entries: changes that are being told.
      .index({ untold_at: 1 }, isSet('untold_at'))
      // Every lead that was written in a batch, also once its changes are told (lead-segments.ts).
      .index({ untold_in: 1 }, isSet('untold_in'))
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
export function createLeads(
  connection: Connection,
  { segments }: { readonly segments: Pick<LeadSegments, 'within' | 'stored' | 'oldest'> },
): Leads {
  const collection = nativeCollection(connection.model<LeadDocument>('Lead'));
  const findOne = async (
    filter: mongo.Filter<LeadDocument>,
    options?: mongo.FindOptions,
  ): Promise<Lead | undefined> => {
    const document = await collection.findOne(filter, options);
    return document === null ? undefined : fromDocument(document);
  };
  /** The indexes of untold changes have few entries for these filters. An index of the account would have many. */
  const findUntoldIn = (stored: readonly string[], requestId: string) => {
    const ofRequest = { 'untold.request_id': requestId };
    return Promise.all([
      findOne({ untold_at: { $gte: new Date(0) }, ...ofRequest }),
      stored.length === 0 ? undefined : findOne({ untold_in: { $in: [...stored] }, ...ofRequest }),
    ]);
  };
  return {
    insertLead: (lead) => segments.within(async () => (isLate(lead) ? 'late' : insertLead(collection, lead))),
    insertLeads: (leads) =>
      segments.within((segment) => inTime(leads, 'late', (some) => insertLeads(collection, some, segment))),
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
    async findUntoldOf(accountId, requestId) {
      let stored = await segments.stored();
      for (let looks = 1; ; looks += 1) {
        const found = await findUntoldIn(stored, requestId);
        const own = found.find((lead) => lead?.account_id === accountId);
        if (own !== undefined || looks === MOST_LOOKS) return own;
        const [before, now] = [new Set(stored), await segments.stored()];
        // The lead may have been written again meanwhile, in a segment that is newer than the list.
        if (now.every((segment) => before.has(segment))) return undefined;
        stored = now;
      }
    },
    findOldest: (accountId, words) => findOldest(collection, accountId, words),
    findOldestOfEach: (accountId, lists) => findOldestOfEach(collection, accountId, lists),
    async heldClaims(account_id, claims) {
      const wanted = { account_id, claims: { $in: [...claims] } };
      const found = await collection.find(wanted, { projection: { claims: 1 } }).toArray();
      const held = new Set(found.flatMap((document) => document.claims ?? []));
      return new Set(claims.filter((claim) => held.has(claim)));
    },
    changeLead: (change) =>
      segments.within(async () => (isLate(change) ? LOST_RACE : changeLead(collection, change))),
    changeLeads: (changes) =>
      segments.within((segment) =>
        inTime(changes, LOST_RACE, (some) => changeLeads(collection, some, segment)),
      ),
    oldestWrite: segments.oldest,
    async erasedAmong(leadIds) {
      const wanted = { _id: { $in: [...leadIds] }, erased_at: { $exists: true } };
      const found = await collection.find(wanted, { projection: { _id: 1 } }).toArray();
      return new Set(found.map(({ _id }) => _id));
    },
  };
}

const fromDocumentOf = (document: LeadDocument | undefined): Lead[] =>
  document === undefined ? [] : [fromDocument(document)];
