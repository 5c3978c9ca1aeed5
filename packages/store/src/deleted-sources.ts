import type { Connection } from 'mongoose';
import type { Source } from './source.ts';
import { fromDocument, type SourceDocument } from './source-document.ts';

/** Deleted sources that may have left something behind. */
export interface DeletedSources {
  /**
   * Reserves the deleted source that is due first, until `nextAt` of it. Another process that wants it at the same time
   * gets nothing. Undefined: none is due. `nowMs`: milliseconds since the Unix epoch.
   */
  claimDue(nowMs: number, nextAt: (source: Source) => number | null): Promise<Source | undefined>;
  /** Makes a source due at this time (milliseconds since the Unix epoch). */
  sweepAgain(sourceId: string, at: number): Promise<void>;
}

/** Call `createSources` on the same connection first: it registers the model. */
export function createDeletedSources(connection: Connection): DeletedSources {
  const model = connection.model<SourceDocument>('Source');
  return {
    async claimDue(nowMs, nextAt) {
      const due = { sweep_at: { $lte: new Date(nowMs) } };
      const found = await model.findOne(due).sort({ sweep_at: 1 }).lean();
      if (found === null) return undefined;
      const next = nextAt(fromDocument(found));
      const update = next === null ? { $unset: { sweep_at: 1 } } : { $set: { sweep_at: new Date(next) } };
      const same = { _id: found._id, sweep_at: found.sweep_at as Date };
      // Returned with its present values: an admin may have asked to delete the events since it was found.
      const document = await model.findOneAndUpdate(same, update, { returnDocument: 'after' }).lean();
      return document === null ? undefined : fromDocument(document);
    },
    async sweepAgain(sourceId, at) {
      await model.updateOne({ _id: sourceId }, { $set: { sweep_at: new Date(at) } });
    },
  };
}
