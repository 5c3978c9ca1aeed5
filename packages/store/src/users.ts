import { type Connection, Schema } from 'mongoose';
import { ADMIN_WRITE } from './admin-write.ts';
import { nativeCollection } from './native-collection.ts';
import { isDuplicateKey } from './write-errors.ts';

/** A person who signs in. Times are milliseconds since the Unix epoch. */
export interface User {
  readonly user_id: string;
  /** In lower case; no two users have the same. */
  readonly email: string;
  readonly name: string;
  /** A PHC string: never the password itself. */
  readonly password_hash: string;
  /** Runs the installation: may see what belongs to no single account, such as its queues. */
  readonly operator: boolean;
  readonly created_at: number;
}

export interface Users {
  insertUser(user: User): Promise<{ readonly status: 'inserted' | 'exists' }>;
  findUser(userId: string): Promise<User | undefined>;
  findUserByEmail(email: string): Promise<User | undefined>;
  /** In no order; unknown ids are left out. */
  findUsers(userIds: readonly string[]): Promise<readonly User[]>;
  /** False where `before` is not the hash any more, or there is no such user. */
  replacePasswordHash(userId: string, before: string, after: string): Promise<boolean>;
  /** In order of their email. */
  listOperators(): Promise<readonly User[]>;
  setOperator(userId: string, operator: boolean): Promise<void>;
}

interface UserDocument extends Omit<User, 'user_id' | 'created_at'> {
  readonly _id: string;
  readonly schema_version: 1;
  readonly created_at: Date;
}

/** Written and read as they are, past mongoose's casts: their types are above. */
function userSchema() {
  return new Schema<UserDocument>({ _id: String }, { strict: false, versionKey: false }).index(
    { email: 1 },
    { unique: true },
  );
}

export function createUsers(connection: Connection): Users {
  const collection = nativeCollection(connection.model<UserDocument>('User', userSchema(), 'users'));
  const { writeConcern } = ADMIN_WRITE;
  return {
    async insertUser({ user_id, created_at, ...rest }) {
      const document = {
        _id: user_id,
        schema_version: 1,
        ...rest,
        created_at: new Date(created_at),
      } as const;
      try {
        await collection.insertOne(document, { writeConcern });
        return { status: 'inserted' };
      } catch (error) {
        if (isDuplicateKey(error)) return { status: 'exists' };
        throw error;
      }
    },
    findUser: async (userId) => fromDocument(await collection.findOne({ _id: userId })),
    findUserByEmail: async (email) => fromDocument(await collection.findOne({ email })),
    async findUsers(userIds) {
      const documents = await collection.find({ _id: { $in: [...userIds] } }).toArray();
      return documents.flatMap((document) => fromDocument(document) ?? []);
    },
    async replacePasswordHash(userId, before, after) {
      const found = { _id: userId, password_hash: before };
      const update = { $set: { password_hash: after } };
      return (await collection.updateOne(found, update, { writeConcern })).matchedCount === 1;
    },
    async listOperators() {
      const documents = await collection.find({ operator: true }).sort({ email: 1 }).toArray();
      return documents.flatMap((document) => fromDocument(document) ?? []);
    },
    async setOperator(userId, operator) {
      await collection.updateOne({ _id: userId }, { $set: { operator } }, { writeConcern });
    },
  };
}

function fromDocument(document: UserDocument | null): User | undefined {
  if (document === null) return undefined;
  const { _id, schema_version: _, created_at, ...rest } = document;
  return { user_id: _id, ...rest, created_at: created_at.getTime() };
}
