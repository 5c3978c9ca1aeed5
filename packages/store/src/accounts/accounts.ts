import { type Connection, Schema } from 'mongoose';
import { ADMIN_WRITE } from '../writing/admin-write.ts';
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

interface AccountDocument {
  _id: string;
  schema_version: number;
  name: string;
  plan: string;
  require_two_factor?: boolean;
  created_at: Date;
}

function accountSchema() {
  return new Schema<AccountDocument>(
    {
      _id: { type: String, required: true },
      schema_version: { type: Number, required: true, default: 1 },
      name: { type: String, required: true },
      plan: { type: String, required: true },
      require_two_factor: { type: Boolean },
      created_at: { type: Date, required: true },
    },
    { versionKey: false, strict: 'throw' },
  ).index({ created_at: 1 });
}

export function createAccounts(connection: Connection): Accounts {
  const model = connection.model<AccountDocument>('Account', accountSchema(), 'accounts');
  return {
    async insertAccount({ account_id, created_at, ...rest }) {
      try {
        await model.create({ _id: account_id, created_at: new Date(created_at), ...rest });
        return { status: 'inserted' };
      } catch (error) {
        if (isDuplicateKey(error)) return { status: 'exists' };
        throw error;
      }
    },
    async findAccount(accountId) {
      // The plan is published with the sources, which are read in the same way.
      const document = await model.findById(accountId).readConcern('majority').lean();
      return document === null ? undefined : fromDocument(document);
    },
    async listAccounts() {
      return (await model.find().sort({ created_at: 1 }).lean()).map(fromDocument);
    },
    async plansInUse() {
      return model.distinct('plan');
    },
    async setAccountPlan(accountId, plan) {
      const options = { ...ADMIN_WRITE, returnDocument: 'after' } as const;
      const document = await model.findOneAndUpdate({ _id: accountId }, { $set: { plan } }, options).lean();
      return document === null ? undefined : fromDocument(document);
    },
    async setTwoFactorRequired(accountId, require_two_factor) {
      await model.updateOne({ _id: accountId }, { $set: { require_two_factor } }, ADMIN_WRITE);
    },
  };
}

function fromDocument({ _id, name, plan, require_two_factor, created_at }: AccountDocument): Account {
  const account = { account_id: _id, name, plan, created_at: created_at.getTime() };
  return require_two_factor === undefined ? account : { ...account, require_two_factor };
}
