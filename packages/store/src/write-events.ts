import type { EventContent } from '@sluice/contract/event-fields';
import { groupsWithin, type Limits } from '@sluice/contract/within-limits';
import { mongo } from 'mongoose';
import { type EventReplacement, toReplacement } from './event-conversion.ts';
import type { EventDocument, EventWrite, EventWriteResult } from './event-document.ts';
import { type Replacement, replaceTogether } from './replace-together.ts';
import type { ServerKind } from './server-kind.ts';
import {
  DUPLICATE_KEY,
  isNeverStorable,
  type RefusedWrite,
  reasonOf,
  refusedWrites,
} from './write-errors.ts';

const WRITTEN: EventWriteResult = { status: 'written' };
const LOST_RACE: EventWriteResult = { status: 'lost_race' };

export interface WriteSettings {
  readonly kind: ServerKind;
  /** Told each time that the server refuses a statement for many events, which then go one by one. */
  readonly onRefused: (reason: string) => void;
}

/**
 * Writes each event if nobody has since it was loaded: in one round trip, or in two where some are new and some are not;
 * with DocumentDB in one for those that are new and one for each hundred of the others.
 * Results are in the order of the writes. With DocumentDB an event that was written may be said to have lost the race
 * where one beside it did: whoever loads it again finds that there is nothing left to do.
 * Throws for lost infrastructure; then any of the writes may have taken effect, and all may be folded and written again.
 */
export async function writeEvents(
  collection: mongo.Collection<EventDocument>,
  settings: WriteSettings,
  writes: readonly EventWrite[],
): Promise<EventWriteResult[]> {
  const results: EventWriteResult[] = Array.from(writes, () => WRITTEN);
  const prepared: Prepared[] = [];
  writes.forEach((write, place) => {
    const one = prepare(write, place);
    if ('reason' in one) results[place] = { status: 'rejected', reason: one.reason };
    else prepared.push(one);
  });
  // In order of _id everywhere: engines that lock row by row then cannot wait for each other in a circle.
  prepared.sort((a, b) => (a._id < b._id ? -1 : 1));
  const left =
    settings.kind === 'documentdb'
      ? await replaceThoseStored(collection, prepared, settings.onRefused)
      : prepared;
  if (left.length === 0) return results;
  try {
    await collection.bulkWrite(left.map(toOperation), { ordered: false });
  } catch (error) {
    for (const refused of refusedWrites(error)) {
      const { place } = left[refused.index] as Prepared;
      results[place] = resultOf(refused, error);
    }
  }
  return results;
}

interface Prepared extends Replacement {
  /** In `writes` and in the results. */
  readonly place: number;
}

const isNew = ({ expectedRevision }: Replacement): boolean => expectedRevision === 0;

const TOGETHER: Limits<Prepared> = {
  sizeOf: ({ replacement }) => bytesAtMost(replacement),
  maxItems: 100,
  maxSize: 4 * 1024 * 1024,
};

/** Replaces events that were stored, many with each statement. What is left are all that are not known to be written then. */
async function replaceThoseStored(
  collection: mongo.Collection<EventDocument>,
  prepared: readonly Prepared[],
  onRefused: WriteSettings['onRefused'],
): Promise<Prepared[]> {
  const replaced = new Set<Prepared>();
  const stored = prepared.filter((one) => !isNew(one));
  for (const some of groupsWithin(stored, TOGETHER)) {
    // One alone costs no more as an operation of the bulk, and is told exactly there.
    if (some.length === 1) continue;
    const result = await replaceTogether(collection, some);
    if (result.status === 'refused') onRefused(result.reason);
    if (result.status === 'all') for (const one of some) replaced.add(one);
  }
  return prepared.filter((one) => !replaced.has(one));
}

const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** A document that the driver cannot send is found here, because it would throw away the whole bulk for it. */
function prepare(write: EventWrite, place: number): Prepared | { readonly reason: string } {
  try {
    const { expectedRevision } = write;
    const [_id, replacement] = [write.event.event_id, toReplacement(write)];
    const bytes = bytesAtMost(replacement) > MAX_DOCUMENT_BYTES ? exactBytes(_id, replacement) : 0;
    if (bytes > MAX_DOCUMENT_BYTES) {
      return { reason: `It takes ${bytes} bytes; MongoDB stores ${MAX_DOCUMENT_BYTES}.` };
    }
    return { place, _id, expectedRevision, replacement };
  } catch (error) {
    return { reason: `It cannot be stored: ${(error as Error).message}` };
  }
}

/**
 * An event that was not stored is inserted, and collides on _id where somebody was first. Of others the revision is in
 * the filter and not in the key: where it differs, the upsert tries to insert and collides too; where the tombstone has
 * gone meanwhile, it creates. So nothing overwrites what it has not seen. (An upsert alone would do for both, but costs
 * an engine three times as much as an insert.)
 */
function toOperation(one: Prepared): mongo.AnyBulkWriteOperation<EventDocument> {
  const { _id, expectedRevision, replacement } = one;
  if (isNew(one)) return { insertOne: { document: { _id, ...replacement } } };
  return { replaceOne: { filter: { _id, revision: expectedRevision }, replacement, upsert: true } };
}

/** Texts take up to three bytes for each unit of UTF-16; all else has a bound. The exact size costs as much as writing it. */
function bytesAtMost(replacement: EventReplacement): number {
  const { title, location, outcomes, imported } = replacement;
  const units = title.length + location.length + lengthOf(outcomes) + contentLength(replacement);
  return 3 * (units + contentLength(imported?.before?.content?.value ?? {})) + 2048;
}

function contentLength({
  description,
  url,
  price,
}: Pick<EventContent, 'description' | 'url' | 'price'>): number {
  return lengthOf(description) + lengthOf(url) + lengthOf(price);
}

function lengthOf(text: string | undefined): number {
  return text?.length ?? 0;
}

function exactBytes(_id: string, replacement: EventReplacement): number {
  return mongo.BSON.calculateObjectSize({ _id, ...replacement });
}

function resultOf(refused: RefusedWrite, error: unknown): EventWriteResult {
  if (refused.code === DUPLICATE_KEY) return LOST_RACE;
  if (isNeverStorable(refused)) return { status: 'rejected', reason: reasonOf(refused) };
  throw error;
}
