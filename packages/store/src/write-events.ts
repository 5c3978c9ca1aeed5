import { mongo } from 'mongoose';
import { type EventReplacement, toReplacement } from './event-conversion.ts';
import type { EventDocument, EventWrite, EventWriteResult } from './event-document.ts';
import { DUPLICATE_KEY, isNeverStorable, type RefusedWrite, refusedWrites } from './write-errors.ts';

const WRITTEN: EventWriteResult = { status: 'written' };
const LOST_RACE: EventWriteResult = { status: 'lost_race' };

/**
 * Writes each event if nobody has since it was loaded: in one round trip, or in two where some are new and some are not.
 * Results are in the order of the writes.
 * Throws for lost infrastructure; then any of the writes may have taken effect, and all may be folded and written again.
 */
export async function writeEvents(
  collection: mongo.Collection<EventDocument>,
  writes: readonly EventWrite[],
): Promise<EventWriteResult[]> {
  const results: EventWriteResult[] = Array.from(writes, () => WRITTEN);
  const prepared: Prepared[] = [];
  writes.forEach((write, place) => {
    const operation = prepare(write);
    if ('reason' in operation) results[place] = { status: 'rejected', reason: operation.reason };
    else prepared.push({ place, id: write.event.event_id, operation });
  });
  if (prepared.length === 0) return results;
  // In order of _id everywhere: engines that lock row by row then cannot wait for each other in a circle.
  prepared.sort((a, b) => (a.id < b.id ? -1 : 1));
  try {
    await collection.bulkWrite(
      prepared.map((one) => one.operation),
      { ordered: false },
    );
  } catch (error) {
    for (const refused of refusedWrites(error)) {
      const { place } = prepared[refused.index] as Prepared;
      results[place] = resultOf(refused, error);
    }
  }
  return results;
}

type Operation = mongo.AnyBulkWriteOperation<EventDocument>;

interface Prepared {
  /** In `writes` and in the results. */
  readonly place: number;
  readonly id: string;
  readonly operation: Operation;
}

const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/**
 * An event that was not stored is inserted, and collides on _id where somebody was first. Of others the revision is in
 * the filter and not in the key: where it differs, the upsert tries to insert and collides too; where the tombstone has
 * gone meanwhile, it creates. So nothing overwrites what it has not seen. (An upsert alone would do for both, but costs
 * an engine three times as much as an insert.)
 *
 * A document that the driver cannot send is found here, because it would throw away the whole bulk for it.
 */
function prepare(write: EventWrite): Operation | { readonly reason: string } {
  try {
    const [_id, replacement] = [write.event.event_id, toReplacement(write)];
    const bytes = bytesAtMost(replacement) > MAX_DOCUMENT_BYTES ? exactBytes(_id, replacement) : 0;
    if (bytes > MAX_DOCUMENT_BYTES) {
      return { reason: `It takes ${bytes} bytes; MongoDB stores ${MAX_DOCUMENT_BYTES}.` };
    }
    if (write.expectedRevision === 0) return { insertOne: { document: { _id, ...replacement } } };
    return { replaceOne: { filter: { _id, revision: write.expectedRevision }, replacement, upsert: true } };
  } catch (error) {
    return { reason: `It cannot be stored: ${(error as Error).message}` };
  }
}

/** Texts take up to three bytes for each unit of UTF-16; all else has a bound. The exact size costs as much as writing it. */
function bytesAtMost({ title, location, description, url, price, outcomes }: EventReplacement): number {
  const units = title.length + location.length + lengthOf(description) + lengthOf(url) + lengthOf(price);
  return 3 * (units + lengthOf(outcomes)) + 2048;
}

function lengthOf(text: string | undefined): number {
  return text?.length ?? 0;
}

function exactBytes(_id: string, replacement: EventReplacement): number {
  return mongo.BSON.calculateObjectSize({ _id, ...replacement });
}

function resultOf(refused: RefusedWrite, error: unknown): EventWriteResult {
  if (refused.code === DUPLICATE_KEY) return LOST_RACE;
  if (isNeverStorable(refused))
    return { status: 'rejected', reason: `MongoDB ${refused.code}: ${refused.message}` };
  throw error;
}
