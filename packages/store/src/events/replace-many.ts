import { mongo } from 'mongoose';
import { isMongoAway } from '../connection/mongo-away.ts';
import { reasonOf } from '../writing/write-errors.ts';
import type { EventReplacement } from './event-conversion.ts';
import type { EventDocument } from './event-document.ts';

/** A guarded replacement: it takes effect only if the stored event still has the loaded revision. */
export interface Replacement {
  readonly _id: string;
  readonly expectedRevision: number;
  readonly replacement: EventReplacement;
}

/** The result of one statement for many events. */
export type ReplaceManyResult =
  | { readonly status: 'all' }
  /** Some events have another revision or aren't stored. It is unknown which others were replaced. */
  | { readonly status: 'not_all' }
  /** The server refused the statement or one of the documents. It is unknown which events were replaced. */
  | { readonly status: 'refused'; readonly reason: string };

/**
 * Replaces many events with one statement. For a bulk write, DocumentDB runs two statements for each operation and
 * plans each again, which is more than half of the cost. The revisions and the new documents are two literals. The
 * filter and the pipeline look up each event in them by its `_id`, which an update keeps.
 *
 * Throws for infrastructure errors. The driver doesn't retry such an update.
 */
export async function replaceMany(
  collection: mongo.Collection<EventDocument>,
  replacements: readonly Replacement[],
): Promise<ReplaceManyResult> {
  const revisions: Record<string, number> = {};
  const documents: Record<string, EventReplacement> = {};
  for (const { _id, expectedRevision, replacement } of replacements) {
    revisions[_id] = expectedRevision;
    documents[_id] = replacement;
  }
  // The revision is in the filter, because the server evaluates the filter again if a row changed while it waited.
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

/** The entry of a literal under the event's `_id`. */
function ownIn(literal: mongo.Document): mongo.Document {
  return { $getField: { field: '$_id', input: { $literal: literal } } };
}
