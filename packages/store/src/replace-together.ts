import { mongo } from 'mongoose';
import type { EventReplacement } from './event-conversion.ts';
import type { EventDocument } from './event-document.ts';
import { isMongoAway } from './mongo-away.ts';
import { reasonOf } from './write-errors.ts';

/** An event that takes the place of the one that is stored, if that one still has the revision that was loaded. */
export interface Replacement {
  readonly _id: string;
  readonly expectedRevision: number;
  readonly replacement: EventReplacement;
}

/** What became of a statement for many events. */
export type ReplacedTogether =
  | { readonly status: 'all' }
  /** Of some the revision differs, or they are not stored; which of the others were replaced is not known. */
  | { readonly status: 'not_all' }
  /** The server does not take such a statement, or one of the documents; which were replaced is not known. */
  | { readonly status: 'refused'; readonly reason: string };

/**
 * Replaces many events with one statement. DocumentDB runs two for each operation of a bulk, and plans each anew, which
 * is more than half of what it costs. The revisions and the new documents are two literals, out of which the filter and the
 * pipeline pick what belongs to the event by its `_id` (which an update keeps).
 *
 * Throws for lost infrastructure. The driver does not try such an update again by itself.
 */
export async function replaceTogether(
  collection: mongo.Collection<EventDocument>,
  replacements: readonly Replacement[],
): Promise<ReplacedTogether> {
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
    return { status: matchedCount === replacements.length ? 'all' : 'not_all' };
  } catch (error) {
    if (error instanceof mongo.MongoServerError && !isMongoAway(error))
      return { status: 'refused', reason: reasonOf(error) };
    throw error;
  }
}

/** What a literal holds under the event's own `_id`. */
function ownIn(literal: mongo.Document): mongo.Document {
  return { $getField: { field: '$_id', input: { $literal: literal } } };
}
