import { mongo } from 'mongoose';
import type { EventReplacement } from './event-conversion.ts';
import type { EventDocument } from './event-document.ts';
import { isMongoAway } from './mongo-away.ts';

/** An event that takes the place of the one that is stored, if that one still has the revision that was loaded. */
export interface Replacement {
  readonly _id: string;
  readonly expectedRevision: number;
  readonly replacement: EventReplacement;
}

/**
 * Replaces many events with one statement. DocumentDB runs two for each operation of a bulk, and plans each anew, which
 * is more than half of what it costs. The revisions and the new documents are two literals, out of which the filter and the
 * pipeline pick what belongs to the event by its `_id` (which an update keeps).
 *
 * True where all were replaced. False where any was not: because of its revision, or because it is not stored, or since the
 * server refused the statement; which of the others were replaced is not known then.
 * Throws for lost infrastructure. The driver does not try such an update again by itself.
 */
export async function replaceTogether(
  collection: mongo.Collection<EventDocument>,
  replacements: readonly Replacement[],
): Promise<boolean> {
  const revisions: Record<string, number> = {};
  const documents: Record<string, EventReplacement> = {};
  for (const { _id, expectedRevision, replacement } of replacements) {
    revisions[_id] = expectedRevision;
    documents[_id] = replacement;
  }
  // The revision is asked for in the filter, as a server looks at that again where a row changed while it waited for it.
  const filter = { _id: { $in: Object.keys(documents) }, $expr: { $eq: ['$revision', ownIn(revisions)] } };
  try {
    const { matchedCount } = await collection.updateMany(filter, [{ $replaceWith: ownIn(documents) }]);
    return matchedCount === replacements.length;
  } catch (error) {
    if (error instanceof mongo.MongoServerError && !isMongoAway(error)) return false;
    throw error;
  }
}

/** What a literal holds under the event's own `_id`. */
function ownIn(literal: mongo.Document): mongo.Document {
  return { $getField: { field: '$_id', input: { $literal: literal } } };
}
