import type { UntoldChange } from '@sluice/contract/change';
import type { Connection } from 'mongoose';
import type { Lead, LeadDocument } from './lead-document.ts';
import { nativeCollection } from './native-collection.ts';
import { toStoredChange } from './stored-change.ts';

export interface LeadErasure {
  /**
   * Replaces a lead by a tombstone with one untold change, if the stored lead has this revision. Returns false if it has
   * another one, or is gone.
   */
  eraseLead(lead: Pick<Lead, 'lead_id' | 'account_id' | 'revision'>, change: UntoldChange): Promise<boolean>;
  /** Whether the account had this lead once, and erased it. */
  isErased(accountId: string, leadId: string): Promise<boolean>;
}

/** Erases leads. Call `createLeads` on the same connection first: it registers the model. */
export function createLeadErasure(connection: Connection): LeadErasure {
  const collection = nativeCollection(connection.model<LeadDocument>('Lead'));
  return {
    async eraseLead({ lead_id, account_id, revision }, change) {
      const at = new Date(change.at);
      const tombstone: Omit<LeadDocument, '_id'> = {
        ...{ schema_version: 1, revision: revision + 1, sequence: change.sequence },
        ...{ erased_from: account_id, erased_at: at, untold: [toStoredChange(change)], untold_at: at },
      };
      const { matchedCount } = await collection.replaceOne({ _id: lead_id, account_id, revision }, tombstone);
      return matchedCount === 1;
    },
    async isErased(erased_from, leadId) {
      return (await collection.findOne({ _id: leadId, erased_from }, { projection: { _id: 1 } })) !== null;
    },
  };
}
