import type { UntoldChange } from '@sluice/contract/change';
import { mongo } from 'mongoose';
import { toStoredChange } from '../untold/stored-change.ts';
import {
  DUPLICATE_KEY,
  isCollided,
  isCollision,
  isDuplicateKey,
  type RefusedWrite,
  reasonOf,
  refusedWrites,
} from '../writing/write-errors.ts';
import { fieldsOf, fromDocument, OPTIONAL, oldest, toDocument } from './lead-conversion.ts';
import type { Lead, LeadDocument, LeadKeys } from './lead-document.ts';

type Leads = mongo.Collection<LeadDocument>;

/** The moment at which the times of a write were set. */
export interface Timed {
  /** By `performance.now()`, which is never set. Absent: the write is never late. */
  readonly timedAt?: number;
}

/** A lead that is not stored yet. */
export interface NewLead extends Timed {
  readonly lead: Lead;
  readonly keys: LeadKeys;
}

/** `late`: nothing was written, because the write would begin too long after its times. Set them again. */
export type LeadInserted = 'inserted' | 'duplicate' | 'late' | Error;

/** The next state of a stored lead, whose `untold` are the changes before. */
export interface LeadChange extends Timed {
  readonly lead: Lead;
  /** Absent: the stored keys fit. */
  readonly keys: LeadKeys | undefined;
  readonly changes: readonly UntoldChange[];
}

/** The result of a guarded change of a lead. */
export type LeadChanged =
  /** `lead` has all changes that are not told yet. Some of them may have been told meanwhile. */
  | { readonly status: 'changed'; readonly lead: Lead }
  /** The lead has another revision, or is gone, or the write would begin too long after its times: load it again. */
  | { readonly status: 'lost_race' }
  /** Like `lost_race`; or another lead of the account has the external id or one of the claims. */
  | { readonly status: 'duplicate' };

export const LOST_RACE: LeadChanged = { status: 'lost_race' };

/**
 * A write begins at most this long after its times were set. Lists of changes, and the removal of a pipeline stage, rely on it
 * (lead-segments.ts). Milliseconds.
 */
export const LATEST_MS = 2000;

/** Whether a write must not begin any more. */
export function isLate({ timedAt }: Timed): boolean {
  return timedAt !== undefined && performance.now() - timedAt >= LATEST_MS;
}

/** Runs a batch without the items that are late. Those have the result `late`. */
export async function inTime<Item extends Timed, Result>(
  items: readonly Item[],
  late: Result,
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  const some = items.filter((item) => !isLate(item));
  if (some.length === items.length) return run(items);
  const results = some.length === 0 ? [] : await run(some);
  const byItem = new Map(some.map((item, index) => [item, results[index] as Result]));
  return items.map((item) => byItem.get(item) ?? late);
}

export async function insertLead(collection: Leads, newLead: NewLead): Promise<'inserted' | 'duplicate'> {
  try {
    await collection.insertOne(documentOf(newLead));
    return 'inserted';
  } catch (error) {
    if (isDuplicateKey(error) || isCollision(error)) return 'duplicate';
    throw error;
  }
}

const documentOf = ({ lead, keys }: NewLead, segment?: string): LeadDocument =>
  toDocument(lead, keys, segment);

/** Inserts many in one round trip. */
export async function insertLeads(
  collection: Leads,
  leads: readonly NewLead[],
  segment: string,
): Promise<readonly LeadInserted[]> {
  const places = lockOrder(leads.map(({ lead: { claims, lead_id } }) => claims[0] ?? lead_id));
  const documents = places.map((place) => documentOf(leads[place] as NewLead, segment));
  try {
    await collection.insertMany(documents, { ordered: false });
    return leads.map(() => 'inserted');
  } catch (error) {
    // A collision may undo the whole command. The caller looks for each lead by its id.
    if (isCollisionOfAll(error)) return leads.map(() => 'duplicate');
    const refused = new Map(refusedWrites(error).map((write) => [places[write.index], write]));
    return leads.map((_, i) => insertedUnless(refused.get(i)));
  }
}

function insertedUnless(refused: RefusedWrite | undefined): LeadInserted {
  if (refused === undefined) return 'inserted';
  return refused.code === DUPLICATE_KEY || isCollided(refused) ? 'duplicate' : new Error(reasonOf(refused));
}

export async function changeLead(collection: Leads, change: LeadChange): Promise<LeadChanged> {
  const [filter, update] = [guardOf(change), updateOf(change)];
  try {
    const document = await collection.findOneAndUpdate(filter, update, { returnDocument: 'after' });
    return document === null ? LOST_RACE : { status: 'changed', lead: fromDocument(document) };
  } catch (error) {
    if (isDuplicateKey(error)) return { status: 'duplicate' };
    if (isCollision(error)) return LOST_RACE;
    throw error;
  }
}

/**
 * Changes many in one round trip. A bulk write only counts the leads that its guards matched. So each write is an upsert: where
 * the revision differs, it tries to insert and collides on the `_id`. An erased lead keeps its `_id`, so none is made again.
 */
export async function changeLeads(
  collection: Leads,
  changes: readonly LeadChange[],
  segment: string,
): Promise<readonly (LeadChanged | Error)[]> {
  const places = lockOrder(changes.map(({ lead }) => lead.lead_id));
  const operations = places.map((place) => {
    const change = changes[place] as LeadChange;
    return { updateOne: { filter: guardOf(change), update: updateOf(change, segment), upsert: true } };
  });
  try {
    await collection.bulkWrite(operations, { ordered: false });
    return changes.map((change) => changedUnless(change, undefined));
  } catch (error) {
    if (isCollisionOfAll(error)) return changes.map(() => LOST_RACE);
    const refused = new Map(refusedWrites(error).map((write) => [places[write.index], write]));
    return changes.map((change, i) => changedUnless(change, refused.get(i)));
  }
}

/**
 * The indexes of the keys, in the order of the keys. In engines with row locks, two bulk writes that write the same records in
 * different orders would deadlock, which one of them notices after a second.
 */
function lockOrder(keys: readonly string[]): readonly number[] {
  return keys.map((_, place) => place).sort((a, b) => ((keys[a] as string) < (keys[b] as string) ? -1 : 1));
}

function changedUnless(
  { lead, changes }: LeadChange,
  refused: RefusedWrite | undefined,
): LeadChanged | Error {
  if (refused === undefined)
    return { status: 'changed', lead: { ...lead, untold: [...lead.untold, ...changes] } };
  if (refused.code === DUPLICATE_KEY) return { status: 'duplicate' };
  return isCollided(refused) ? LOST_RACE : new Error(reasonOf(refused));
}

function guardOf({ lead: { lead_id, account_id, revision } }: LeadChange) {
  return { _id: lead_id, account_id, revision: revision - 1 };
}

/** `segment`: see toDocument. */
function updateOf({ lead, keys, changes }: LeadChange, segment?: string): mongo.UpdateFilter<LeadDocument> {
  const fields = fieldsOf(lead, keys);
  const absent = OPTIONAL.filter((name) => !(name in fields) && (keys !== undefined || !KEYS.has(name)));
  return {
    $set: segment === undefined ? fields : { ...fields, untold_in: segment },
    ...(absent.length > 0 && { $unset: Object.fromEntries(absent.map((name) => [name, 1])) }),
    $push: { untold: { $each: changes.map(toStoredChange) } },
    // The oldest change counts: $min keeps the time of one that is not told yet.
    ...(segment === undefined && { $min: { untold_at: oldest(changes) } }),
  } as mongo.UpdateFilter<LeadDocument>;
}

const KEYS: ReadonlySet<string> = new Set<keyof LeadKeys>(['words', 'long_words', 'facets']);

/** Whether a command failed as a whole, because it collided with a concurrent one. */
function isCollisionOfAll(error: unknown): boolean {
  return !(error instanceof mongo.MongoBulkWriteError) && isCollision(error);
}
