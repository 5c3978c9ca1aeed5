import type { Connection } from 'mongoose';
import { connectedDb } from './connection/connected-db.ts';

/** Collections whose records are read by account and id. */
export type AccountCollection = 'leads' | 'conversations' | 'webhook_subscriptions';

export interface RecordAccount {
  /** The account of a record. Undefined if there is no such record. For admins of the installation only. */
  findAccountOf(collection: AccountCollection, id: string): Promise<string | undefined>;
}

export function createRecordAccount(connection: Connection): RecordAccount {
  return {
    async findAccountOf(collection, id) {
      const found = await connectedDb(connection)
        .collection<{ readonly _id: string; readonly account_id: string }>(collection)
        .findOne({ _id: id }, { projection: { account_id: 1 } });
      return found?.account_id;
    },
  };
}
