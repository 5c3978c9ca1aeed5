import type { Connection, mongo } from 'mongoose';

interface OverflowDocument {
  readonly _id: string;
  readonly subscription_id: string;
  readonly era: string;
  readonly number: number;
  readonly entry: string;
}

/** The part of mailboxes of 0.2.0 that is in MongoDB. Nothing writes it any more, and it expires after 30 days. */
export interface OldMailboxes {
  /** The entries of a mailbox between two numbers (outbound: log/bring-over.lua.ts). A number may come twice, with the same entry. */
  readEntries(range: {
    readonly subscription_id: string;
    readonly era: string;
    readonly from: number;
    readonly to: number;
  }): Promise<readonly string[]>;
}

export function createOldMailboxes(connection: Connection): OldMailboxes {
  const collection = (): mongo.Collection<OverflowDocument> =>
    connection.collection('webhook_overflow') as unknown as mongo.Collection<OverflowDocument>;
  return {
    async readEntries({ subscription_id, era, from, to }) {
      const wanted = { subscription_id, era, number: { $gte: from, $lte: to } };
      const found = await collection()
        .find(wanted, { projection: { entry: 1 } })
        .toArray();
      return found.map(({ entry }) => entry);
    },
  };
}
