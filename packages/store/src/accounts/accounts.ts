import type { Connection } from 'mongoose';
import { ADMIN_WRITE } from '../writing/admin-write.ts';
import { nativeSchema, registerCollection } from '../writing/native-collection.ts';
import { type DocumentOf, storedRecord } from '../writing/stored-record.ts';
import { isDuplicateKey } from '../writing/write-errors.ts';

export interface Account {
  readonly account_id: string;
  readonly name: string;
  /** Name of a plan in the configuration (PLANS). */
  readonly plan: string;
  /** Owners and admins need two-factor sign-in. Absent: no one does. */
  readonly require_two_factor?: boolean;
  /** Milliseconds since the Unix epoch. */
  readonly created_at: number;
}

export interface Accounts {
  insertAccount(account: Account): Promise<{ readonly status: 'inserted' | 'exists' }>;
  findAccount(accountId: string): Promise<Account | undefined>;
  /** Oldest first. */
  listAccounts(): Promise<readonly Account[]>;
  /** The distinct plans of all accounts. */
  plansInUse(): Promise<readonly string[]>;
  /** Returns the account with its new plan; undefined if the account doesn't exist. */
  setAccountPlan(accountId: string, plan: string): Promise<Account | undefined>;
  setTwoFactorRequired(accountId: string, required: boolean): Promise<void>;
}

const ACCOUNT = storedRecord<Account>()('account_id', ['created_at']);

export function createAccounts(connection: Connection): Accounts {
  const schema = nativeSchema<DocumentOf<typeof ACCOUNT>>().index({ created_at: 1 });
  const collection = registerCollection(connection, 'Account', schema, 'accounts');
  return {
    async insertAccount(account) {
      try {
        await collection.insertOne(ACCOUNT.toDocument(account));
        return { status: 'inserted' };
      } catch (error) {
        if (isDuplicateKey(error)) return { status: 'exists' };
        throw error;
      }
    },
    async findAccount(accountId) {
      // The plan is published with the sources, which are read in the same way.
      const options = { readConcern: { level: 'majority' } } as const;
      return ACCOUNT.found(await collection.findOne({ _id: accountId }, options));
    },
    async listAccounts() {
      return (await collection.find().sort({ created_at: 1 }).toArray()).map(ACCOUNT.fromDocument);
    },
    plansInUse: () => collection.distinct('plan'),
    async setAccountPlan(accountId, plan) {
      const options = { ...ADMIN_WRITE, returnDocument: 'after' } as const;
      return ACCOUNT.found(
        await collection.findOneAndUpdate({ _id: accountId }, { $set: { plan } }, options),
      );
    },
    async setTwoFactorRequired(accountId, require_two_factor) {
      await collection.updateOne({ _id: accountId }, { $set: { require_two_factor } }, ADMIN_WRITE);
    },
  };
}
