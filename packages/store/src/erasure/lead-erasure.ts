import type { PendingChange } from '@sluice/contract/message/change';
import type { Connection, mongo } from 'mongoose';
import type { Lead, LeadDocument } from '../leads/lead-document.ts';
import { toStoredChange } from '../pending/stored-change.ts';
import { nativeCollection } from '../writing/native-collection.ts';

export interface LeadErasure {
  /**
   * Replaces a lead by a tombstone with one pending change, if the stored lead has this revision. Returns false if it has
   * another one, or is gone.
   */
  eraseLead(lead: Pick<Lead, 'lead_id' | 'account_id' | 'revision'>, change: PendingChange): Promise<boolean>;
  /** When the account erased the lead; undefined if it did not, or never had it. */
  erasedAt(accountId: string, leadId: string): Promise<number | undefined>;
  /** Erasures whose traces are to be removed once more by now, the longest due first. */
  dueAgain(now: number, limit: number): Promise<readonly DueErasure[]>;
  /** Notes when the traces are to be removed the next time; undefined: never. Other notes meanwhile stay. */
  noteErasedAgain(done: DueErasure, next: number | undefined): Promise<void>;
}

/** An erased lead. Times are milliseconds since the Unix epoch. */
export interface DueErasure {
  readonly lead_id: string;
  readonly account_id: string;
  readonly erased_at: number;
  /** The sequence number of its last change. */
  readonly sequence: number;
  readonly due_at: number;
}

/** Erases leads. Call `createLeads` on the same connection first: it registers the model. */
export function createLeadErasure(connection: Connection): LeadErasure {
  const collection = nativeCollection(connection.model<LeadDocument>('Lead'));
  return {
    async eraseLead({ lead_id, account_id, revision }, change) {
      const at = new Date(change.at);
      const tombstone: Omit<LeadDocument, '_id'> = {
        schema_version: 1,
        revision: revision + 1,
        sequence: change.sequence,
        erased_from: account_id,
        erased_at: at,
        untold: [toStoredChange(change)],
        untold_at: at,
        erase_again_at: at,
      };
      const { matchedCount } = await collection.replaceOne({ _id: lead_id, account_id, revision }, tombstone);
      return matchedCount === 1;
    },
    async erasedAt(erased_from, leadId) {
      const wanted = { _id: leadId, erased_from };
      const tombstone = await collection.findOne(wanted, { projection: { erased_at: 1 } });
      return tombstone?.erased_at?.getTime();
    },
    async dueAgain(now, limit) {
      const due = collection.find({ erase_again_at: { $lte: new Date(now) } }).sort({ erase_again_at: 1 });
      return (await due.limit(limit).toArray()).flatMap(toDue);
    },
    async noteErasedAgain({ lead_id, due_at }, next) {
      const update =
        next === undefined ? { $unset: { erase_again_at: 1 } } : { $set: { erase_again_at: new Date(next) } };
      const noted = { _id: lead_id, erase_again_at: new Date(due_at) };
      await collection.updateOne(noted, update as mongo.UpdateFilter<LeadDocument>);
    },
  };
}

function toDue({ _id, erased_from, erased_at, sequence, erase_again_at }: LeadDocument): DueErasure[] {
  if (erased_from === undefined || erased_at === undefined || erase_again_at === undefined) return [];
  const times = { erased_at: erased_at.getTime(), due_at: erase_again_at.getTime() };
  return [{ lead_id: _id, account_id: erased_from, sequence, ...times }];
}
