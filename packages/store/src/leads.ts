import type { UntoldChange } from '@sluice/contract/change';
import { type Connection, mongo, Schema } from 'mongoose';
import { fieldsOf, fromDocument, OPTIONAL, oldest, toDocument } from './lead-conversion.ts';
import { isLead, type Lead, type LeadDocument, type LeadKeys } from './lead-document.ts';
import { nativeCollection } from './native-collection.ts';
import { toStoredChange } from './stored-change.ts';
import {
  DUPLICATE_KEY,
  isCollided,
  isCollision,
  isDuplicateKey,
  type RefusedWrite,
  reasonOf,
  refusedWrites,
} from './write-errors.ts';

/** The result of a guarded change of a lead. */
export type LeadChanged =
  /** `lead` has all changes that are not told yet. */
  | { readonly status: 'changed'; readonly lead: Lead }
  /** The lead has another revision, or is gone: load it again. */
  | { readonly status: 'lost_race' }
  /** Another lead of the account has the external id, or one of the claims. */
  | { readonly status: 'duplicate' };

/** A lead that is not stored yet. */
export interface NewLead {
  readonly lead: Lead;
  readonly keys: LeadKeys;
}

export type LeadInserted = 'inserted' | 'duplicate' | Error;

export interface Leads {
  /** `duplicate`: a lead with this id, external id, or one of the claims exists, or is being written. */
  insertLead(lead: Lead, keys: LeadKeys): Promise<'inserted' | 'duplicate'>;
  /** Inserts many in one round trip. An Error is of that lead alone. */
  insertLeads(leads: readonly NewLead[]): Promise<readonly LeadInserted[]>;
  findLead(accountId: string, leadId: string): Promise<Lead | undefined>;
  /** One for each id, of whatever account, in one round trip. The caller must compare the account. */
  findLeadsAnywhere(leadIds: readonly string[]): Promise<readonly (Lead | undefined)[]>;
  /** In the order of the ids. Ids that the account does not have are left out. */
  findLeads(accountId: string, leadIds: readonly string[]): Promise<readonly Lead[]>;
  findByExternalId(accountId: string, externalId: string): Promise<Lead | undefined>;
  /** The oldest lead of the account that has one of these words. */
  findOldest(accountId: string, words: readonly string[]): Promise<Lead | undefined>;
  /** Those of the claims that a lead of the account has. */
  heldClaims(accountId: string, claims: readonly string[]): Promise<ReadonlySet<string>>;
  /** Stores the lead with new changes, if the stored one still has the revision before `lead.revision`. */
  changeLead(lead: Lead, keys: LeadKeys, changes: readonly UntoldChange[]): Promise<LeadChanged>;
  /** Those of the ids that are erased leads. */
  erasedAmong(leadIds: readonly string[]): Promise<ReadonlySet<string>>;
}

const NEWEST_FIRST = { created_at: -1, _id: -1 } as const;
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
      // Few entries: changes that are being told, and leads that were erased.
      .index({ untold_at: 1 }, isSet('untold_at'))
      .index({ erased_from: 1, erased_at: -1 }, isSet('erased_from'))
      .index({ erase_again_at: 1 }, isSet('erase_again_at'))
  );
}

export function createLeads(connection: Connection): Leads {
  const collection = nativeCollection(connection.model<LeadDocument>('Lead', leadSchema(), 'leads'));
  const findOne = async (
    filter: mongo.Filter<LeadDocument>,
    options?: mongo.FindOptions,
  ): Promise<Lead | undefined> => {
    const document = await collection.findOne(filter, options);
    return document === null ? undefined : fromDocument(document);
  };
  return {
    async insertLead(lead, keys) {
      try {
        await collection.insertOne(toDocument(lead, keys));
        return 'inserted';
      } catch (error) {
        if (isDuplicateKey(error) || isCollision(error)) return 'duplicate';
        throw error;
      }
    },
    insertLeads: (leads) => insertLeads(collection, leads),
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
    async findOldest(account_id, words) {
      const options = { sort: { created_at: 1, _id: 1 } } as const;
      const found = await Promise.all(words.map((word) => findOne({ account_id, words: word }, options)));
      const leads = found.filter((lead) => lead !== undefined);
      return leads.sort((a, b) => a.created_at - b.created_at || (a.lead_id < b.lead_id ? -1 : 1))[0];
    },
    async heldClaims(account_id, claims) {
      const wanted = { account_id, claims: { $in: [...claims] } };
      const found = await collection.find(wanted, { projection: { claims: 1 } }).toArray();
      const held = new Set(found.flatMap((document) => document.claims ?? []));
      return new Set(claims.filter((claim) => held.has(claim)));
    },
    changeLead: (lead, keys, changes) => changeLead(collection, { lead, keys, changes }),
    async erasedAmong(leadIds) {
      const wanted = { _id: { $in: [...leadIds] }, erased_at: { $exists: true } };
      const found = await collection.find(wanted, { projection: { _id: 1 } }).toArray();
      return new Set(found.map(({ _id }) => _id));
    },
  };
}

async function insertLeads(
  collection: mongo.Collection<LeadDocument>,
  leads: readonly NewLead[],
): Promise<readonly LeadInserted[]> {
  const documents = leads.map(({ lead, keys }) => toDocument(lead, keys));
  try {
    await collection.insertMany(documents, { ordered: false });
    return leads.map(() => 'inserted');
  } catch (error) {
    // A collision may undo the whole command. The caller looks for each lead by its id.
    if (!(error instanceof mongo.MongoBulkWriteError) && isCollision(error))
      return leads.map(() => 'duplicate');
    const refused = new Map(refusedWrites(error).map((write) => [write.index, write]));
    return leads.map((_, i) => outcomeOf(refused.get(i)));
  }
}

function outcomeOf(refused: RefusedWrite | undefined): LeadInserted {
  if (refused === undefined) return 'inserted';
  return refused.code === DUPLICATE_KEY || isCollided(refused) ? 'duplicate' : new Error(reasonOf(refused));
}

const fromDocumentOf = (document: LeadDocument | undefined): Lead[] =>
  document === undefined ? [] : [fromDocument(document)];

interface Change {
  readonly lead: Lead;
  readonly keys: LeadKeys;
  readonly changes: readonly UntoldChange[];
}

async function changeLead(
  collection: mongo.Collection<LeadDocument>,
  { lead, keys, changes }: Change,
): Promise<LeadChanged> {
  const fields = fieldsOf(lead, keys);
  const absent = OPTIONAL.filter((name) => !(name in fields));
  const update = {
    $set: fields,
    ...(absent.length > 0 && { $unset: Object.fromEntries(absent.map((name) => [name, 1])) }),
    $push: { untold: { $each: changes.map(toStoredChange) } },
    // The oldest change counts: $min keeps the time of one that is not told yet.
    $min: { untold_at: oldest(changes) },
  } as mongo.UpdateFilter<LeadDocument>;
  const guard = { _id: lead.lead_id, account_id: lead.account_id, revision: lead.revision - 1 };
  try {
    const document = await collection.findOneAndUpdate(guard, update, { returnDocument: 'after' });
    return document === null ? { status: 'lost_race' } : { status: 'changed', lead: fromDocument(document) };
  } catch (error) {
    if (isDuplicateKey(error)) return { status: 'duplicate' };
    if (isCollision(error)) return { status: 'lost_race' };
    throw error;
  }
}
