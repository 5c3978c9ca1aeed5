import { CONTENT_FIELDS, type ContentField } from '@sluice/contract/event/event-fields';
import { mongo } from 'mongoose';
import {
  DUPLICATE_KEY,
  isNeverStorable,
  type RefusedWrite,
  reasonOf,
  refusedWrites,
} from '../writing/write-errors.ts';
import { type EventReplacement, toReplacement } from './event-conversion.ts';
import type { EventDocument, EventWrite, EventWriteResult } from './event-document.ts';

const WRITTEN: EventWriteResult = { status: 'written' };
const LOST_RACE: EventWriteResult = { status: 'lost_race' };

/**
 * Writes each event, unless another writer changed it since it was loaded. Takes one round trip, or two if some events
 * are new and some are not.
 *
 * Results are in the order of the writes. Throws for infrastructure errors. Any of the writes may then have taken effect,
 * and all can be folded and written again.
 */
export async function writeEvents(
  collection: mongo.Collection<EventDocument>,
  writes: readonly EventWrite[],
): Promise<EventWriteResult[]> {
  const results: EventWriteResult[] = Array.from(writes, () => WRITTEN);
  const prepared: Prepared[] = [];
  writes.forEach((write, place) => {
    const one = prepare(write, place);
    if ('reason' in one) results[place] = { status: 'rejected', reason: one.reason };
    else prepared.push(one);
  });
  // Always in order of _id, to avoid deadlocks in engines with row locks.
  prepared.sort((a, b) => (a._id < b._id ? -1 : 1));
  if (prepared.length === 0) return results;
  try {
    await collection.bulkWrite(prepared.map(toOperation), { ordered: false });
  } catch (error) {
    for (const refused of refusedWrites(error)) {
      const { place } = prepared[refused.index] as Prepared;
      results[place] = resultOf(refused, error);
    }
  }
  return results;
}

interface Prepared extends Pick<EventWrite, 'expectedRevision' | 'expectedPending'> {
  readonly _id: string;
  readonly replacement: EventReplacement;
  /** Index in `writes` and in the results. */
  readonly place: number;
}

const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Finds a document that the driver can't send. The driver would discard the whole bulk write for it. */
function prepare(write: EventWrite, place: number): Prepared | { readonly reason: string } {
  try {
    const { expectedRevision, expectedPending } = write;
    const [_id, replacement] = [write.event.event_id, toReplacement(write)];
    const bytes = bytesAtMost(replacement) > MAX_DOCUMENT_BYTES ? exactBytes(_id, replacement) : 0;
    if (bytes > MAX_DOCUMENT_BYTES) {
      return { reason: `The event has ${bytes} bytes; MongoDB stores at most ${MAX_DOCUMENT_BYTES}.` };
    }
    return { place, _id, expectedRevision, expectedPending, replacement };
  } catch (error) {
    return { reason: `The event can't be stored: ${(error as Error).message}` };
  }
}

/**
 * A new event is inserted, and collides on _id if another writer was first. For a stored event, the filter contains the
 * revision. If the revision differs, the upsert tries to insert and collides too. If the tombstone has expired meanwhile,
 * the upsert creates the event. So no write overwrites a state that it hasn't seen. (An upsert would also work for new
 * events, but costs three times as much as an insert.)
 */
function toOperation(one: Prepared): mongo.AnyBulkWriteOperation<EventDocument> {
  const { _id, expectedRevision, expectedPending, replacement } = one;
  if (expectedRevision === 0) return { insertOne: { document: { _id, ...replacement } } };
  const filter = { _id, revision: expectedRevision };
  const guard = expectedPending === undefined ? filter : { ...filter, untold_sequence: expectedPending };
  return { replaceOne: { filter: guard, replacement, upsert: true } };
}

/**
 * Upper bound: a text has up to three bytes for each UTF-16 unit; the rest is bounded. The exact size is as costly as
 * encoding.
 */
function bytesAtMost(replacement: EventReplacement): number {
  const { title, location, outcomes, imported, untold } = replacement;
  const own = title.length + location.length + contentLength(replacement);
  const units = own + lengthOf(outcomes) + lengthOf(untold);
  return 3 * (units + contentLength(imported?.before?.content?.value ?? {})) + 2048;
}

function contentLength(content: Partial<Record<ContentField, unknown>>): number {
  return CONTENT_FIELDS.reduce((sum, { name }) => sum + lengthOf(content[name]), 0);
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 0;
}

function exactBytes(_id: string, replacement: EventReplacement): number {
  return mongo.BSON.calculateObjectSize({ _id, ...replacement });
}

function resultOf(refused: RefusedWrite, error: unknown): EventWriteResult {
  if (refused.code === DUPLICATE_KEY) return LOST_RACE;
  if (isNeverStorable(refused)) return { status: 'rejected', reason: reasonOf(refused) };
  throw error;
}
