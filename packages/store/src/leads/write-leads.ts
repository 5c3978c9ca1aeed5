import { hasMessages, type PendingChange } from '@sluice/contract/message/change';
import { mongo } from 'mongoose';
import { CHANGE_WRITE, CHANGED_NOW } from '../changed-since.ts';
import { keptChanges } from '../pending/stored-change.ts';
import {
  DUPLICATE_KEY,
  isCollided,
  isCollision,
  isDuplicateKey,
  type RefusedWrite,
  reasonOf,
  refusedWrites,
} from '../writing/write-errors.ts';
import { fieldsOf, fromDocument, OPTIONAL } from './lead-conversion.ts';
import type { Lead, LeadDocument, LeadKeys } from './lead-document.ts';

type Leads = mongo.Collection<LeadDocument>;

/** A new lead, whose revision is 1, or the next state of a stored one. Its `untold` are the changes before. */
export interface LeadWrite {
  readonly lead: Lead;
  /** Absent: the stored keys fit. */
  readonly keys: LeadKeys | undefined;
  readonly changes: readonly PendingChange[];
}

/** The result of a guarded write of a lead. */
export type LeadStored =
  /**
   * `lead` has the time of the write, and all changes that are not published yet. Some of them may have been published meanwhile.
   */
  | { readonly status: 'stored'; readonly lead: Lead }
  /** The write collided with another one. Load the lead again. */
  | { readonly status: 'lost_race' }
  /** The lead has another revision or was erased; or another lead of the account has the external id or one of the claims. */
  | { readonly status: 'duplicate' };

const LOST_RACE: LeadStored = { status: 'lost_race' };
const DUPLICATE: LeadStored = { status: 'duplicate' };

export async function writeLead(collection: Leads, write: LeadWrite): Promise<LeadStored> {
  const { filter, update, upsert } = operationOf(write);
  try {
    const options = { ...CHANGE_WRITE, upsert, returnDocument: 'after' } as const;
    const document = await collection.findOneAndUpdate(filter, update, options);
    // An upsert always returns a document.
    return { status: 'stored', lead: fromDocument(document as LeadDocument) };
  } catch (error) {
    if (isDuplicateKey(error)) return DUPLICATE;
    if (isCollision(error)) return LOST_RACE;
    throw error;
  }
}

/** Writes many in two round trips. */
export async function writeLeads(
  collection: Leads,
  writes: readonly LeadWrite[],
): Promise<readonly (LeadStored | Error)[]> {
  const places = lockOrder(writes.map(({ lead: { claims, lead_id } }) => claims[0] ?? lead_id));
  const operations = places.map((place) => ({ updateOne: operationOf(writes[place] as LeadWrite) }));
  let refused = new Map<number | undefined, RefusedWrite>();
  try {
    await collection.bulkWrite(operations, { ...CHANGE_WRITE, ordered: false });
  } catch (error) {
    // A collision may undo the whole command.
    if (isCollisionOfAll(error)) return writes.map(() => LOST_RACE);
    refused = new Map(refusedWrites(error).map((write) => [places[write.index], write]));
  }
  const stored = writes.filter((_, place) => !refused.has(place));
  const times = await timesOf(collection, stored);
  return writes.map((write, place) => {
    const refusal = refused.get(place);
    return refusal === undefined ? asStored(write, times) : outcomeOf(refusal);
  });
}

/** A bulk write returns no documents. */
async function timesOf(
  collection: Leads,
  writes: readonly LeadWrite[],
): Promise<ReadonlyMap<string, Date | undefined>> {
  if (writes.length === 0) return new Map();
  const wanted = { _id: { $in: writes.map(({ lead }) => lead.lead_id) } };
  const found = await collection.find(wanted, { projection: { updated_at: 1 } }).toArray();
  return new Map(found.map(({ _id, updated_at }) => [_id, updated_at]));
}

function asStored({ lead, changes }: LeadWrite, times: ReadonlyMap<string, Date | undefined>): LeadStored {
  const updated_at = times.get(lead.lead_id)?.getTime() ?? lead.updated_at;
  return { status: 'stored', lead: { ...lead, updated_at, untold: [...lead.untold, ...changes] } };
}

function outcomeOf(refusal: RefusedWrite): LeadStored | Error {
  if (refusal.code === DUPLICATE_KEY) return DUPLICATE;
  return isCollided(refusal) ? LOST_RACE : new Error(reasonOf(refusal));
}

/**
 * The indexes of the keys, in the order of the keys. In engines with row locks, two bulk writes that write the same records in
 * different orders would deadlock, which one of them notices after a second.
 */
function lockOrder(keys: readonly string[]): readonly number[] {
  return keys.map((_, place) => place).sort((a, b) => ((keys[a] as string) < (keys[b] as string) ? -1 : 1));
}

/**
 * Each write is an upsert: only an update can set the server's time, and a bulk write only counts the leads that its guards matched.
 * Where the revision differs, it tries to insert and collides on the `_id`. An erased lead keeps its `_id`, so none is made again.
 */
function operationOf({ lead, keys, changes }: LeadWrite) {
  const { lead_id, account_id, revision } = lead;
  const fields = fieldsOf(lead, keys);
  const absent = OPTIONAL.filter((name) => !(name in fields) && (keys !== undefined || !KEYS.has(name)));
  return {
    filter: { _id: lead_id, account_id, revision: revision - 1 },
    update: {
      $set: fields,
      // A note changes no field, so it changes no time either.
      ...((revision === 1 || changes.some(hasMessages)) && CHANGED_NOW),
      ...(absent.length > 0 && { $unset: Object.fromEntries(absent.map((name) => [name, 1])) }),
      ...(changes.length > 0 && keptChanges(changes)),
    } as mongo.UpdateFilter<LeadDocument>,
    upsert: true,
  };
}

const KEYS: ReadonlySet<string> = new Set<keyof LeadKeys>(['words', 'long_words', 'facets']);

/** Whether a command failed as a whole, because it collided with a concurrent one. */
function isCollisionOfAll(error: unknown): boolean {
  return !(error instanceof mongo.MongoBulkWriteError) && isCollision(error);
}
