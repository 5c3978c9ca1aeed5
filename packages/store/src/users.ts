import { type Connection, type Model, Schema } from 'mongoose';
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
  /** Absent: they sign in with the password alone. */
  readonly two_factor?: TwoFactor;
  /** The sealed key of a set-up under way: it counts for nothing until a code of it has come back. */
  readonly two_factor_draft?: string;
  readonly created_at: number;
}

/** How a user proves the second factor. */
export interface TwoFactor {
  /** The key that the authenticator app has, sealed (credentials/seal.ts). */
  readonly sealed_key: string;
  /** The time step of the last code that was accepted: no code is accepted twice. */
  readonly last_step: number;
  /** SHA-256 of each recovery code that is unused. */
  readonly recovery_hashes: readonly string[];
  /** When it was turned on: milliseconds since the Unix epoch. */
  readonly since: number;
}

export interface Users {
  insertUser(user: User): Promise<{ readonly status: 'inserted' | 'exists' }>;
  findUser(userId: string): Promise<User | undefined>;
  findUserByEmail(email: string): Promise<User | undefined>;
  /** In no order; unknown ids are left out. */
  findUsers(userIds: readonly string[]): Promise<readonly User[]>;
  /** False where `before` is not the hash any more, or there is no such user. */
  replacePasswordHash(userId: string, before: string, after: string): Promise<boolean>;
  /** Whatever it was before. */
  setPasswordHash(userId: string, after: string): Promise<void>;
  /** In order of their email. */
  listOperators(): Promise<readonly User[]>;
  setOperator(userId: string, operator: boolean): Promise<void>;
}

export interface UserDocument extends Omit<User, 'user_id' | 'created_at'> {
  readonly _id: string;
  readonly schema_version: 1;
  readonly created_at: Date;
}

/** The collection of users, for every file that works on it. */
export function usersCollection(connection: Connection) {
  const model = connection.models.User ?? connection.model<UserDocument>('User', userSchema(), 'users');
  return nativeCollection(model as Model<UserDocument>);
}

/** Written and read as they are, past mongoose's casts: their types are above. */
function userSchema() {
  return new Schema<UserDocument>({ _id: String }, { strict: false, versionKey: false }).index(
    { email: 1 },
    { unique: true },
  );
}

export function createUsers(connection: Connection): Users {
  const collection = usersCollection(connection);
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
    async setPasswordHash(userId, password_hash) {
      await collection.updateOne({ _id: userId }, { $set: { password_hash } }, { writeConcern });
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
