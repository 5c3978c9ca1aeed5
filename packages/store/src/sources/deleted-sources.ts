import type { Connection } from 'mongoose';
import { nativeCollection } from '../writing/native-collection.ts';
import type { Source } from './source.ts';
import { fromDocument, type SourceDocument } from './source-document.ts';

/** Deleted sources that may have left something behind. */
export interface DeletedSources {
  /**
   * Reserves the deleted source that is due first, until `until`. Another process that wants it at the same time gets nothing.
   * Undefined: none is due. Times are milliseconds since the Unix epoch.
   */
  claimDue(nowMs: number, until: number): Promise<Source | undefined>;
  /**
   * Makes a source that was claimed until `until` due at `next`, or never if it is null. Without it the source is due when the
   * claim ends. A source that became due in another way meanwhile stays due.
   */
  endClaim(claim: { readonly sourceId: string; readonly until: number }, next: number | null): Promise<void>;
}

/** Call `createSources` on the same connection first: it registers the model. */
export function createDeletedSources(connection: Connection): DeletedSources {
  const collection = nativeCollection(connection.model<SourceDocument>('Source'));
  return {
    async claimDue(nowMs, until) {
      const due = { sweep_at: { $lte: new Date(nowMs) } };
      const found = await collection.findOne(due, { sort: { sweep_at: 1 } });
      if (found === null) return undefined;
      const update = { $set: { sweep_at: new Date(until) } };
      const same = { _id: found._id, sweep_at: found.sweep_at as Date };
      // Returns the current document: an admin may have asked to delete the events since it was found.
      const document = await collection.findOneAndUpdate(same, update, { returnDocument: 'after' });
      return document === null ? undefined : fromDocument(document);
    },
    async endClaim({ sourceId, until }, next) {
      const update =
        next === null ? { $unset: { sweep_at: 1 as const } } : { $set: { sweep_at: new Date(next) } };
      await collection.updateOne({ _id: sourceId, sweep_at: new Date(until) }, update);
    },
  };
}
