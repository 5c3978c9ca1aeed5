import type { Connection, Model } from 'mongoose';
import { ADMIN_WRITE } from '../writing/admin-write.ts';
import { nativeCollection, nativeSchema } from '../writing/native-collection.ts';
import { type DocumentOf, storedRecord } from '../writing/stored-record.ts';
import { isDuplicateKey } from '../writing/write-errors.ts';

/** A person who signs in. Times are milliseconds since the Unix epoch. */
export interface User {
  readonly user_id: string;
  /** In lower case, and unique. */
  readonly email: string;
  readonly name: string;
  /** The password hash as a PHC string. */
  readonly password_hash: string;
  /** An operator of the installation may see data that belongs to no single account, such as the queues. */
  readonly operator: boolean;
  /** Absent: the user signs in with the password alone. */
  readonly two_factor?: TwoFactor;
  /** The sealed key of an unfinished set-up. It has no effect until the user enters a code for it. */
  readonly two_factor_draft?: string;
  readonly created_at: number;
}

/** How a user proves the second factor. */
export interface TwoFactor {
  /** The key of the authenticator app, sealed (credentials/seal.ts). */
  readonly sealed_key: string;
  /** Time step of the last accepted code, so that no code is accepted twice. */
  readonly last_step: number;
  /** SHA-256 of each unused recovery code. */
  readonly recovery_hashes: readonly string[];
  /** When it was turned on, in milliseconds since the Unix epoch. */
  readonly since: number;
}

export interface Users {
  insertUser(user: User): Promise<{ readonly status: 'inserted' | 'exists' }>;
  findUser(userId: string): Promise<User | undefined>;
  findUserByEmail(email: string): Promise<User | undefined>;
  /** In no particular order. Unknown ids are left out. */
  findUsers(userIds: readonly string[]): Promise<readonly User[]>;
  /** False if the stored hash is no longer `before`, or the user doesn't exist. */
  replacePasswordHash(userId: string, before: string, after: string): Promise<boolean>;
  /** Replaces any previous hash. */
  setPasswordHash(userId: string, after: string): Promise<void>;
  /** Sorted by email. */
  listOperators(): Promise<readonly User[]>;
  setOperator(userId: string, operator: boolean): Promise<void>;
}

const USER = storedRecord<User>()('user_id', ['created_at']);
type UserDocument = DocumentOf<typeof USER>;

/** The collection of users, shared by the files that work on it. */
export function usersCollection(connection: Connection) {
  const model = connection.models.User ?? connection.model<UserDocument>('User', userSchema(), 'users');
  return nativeCollection(model as Model<UserDocument>);
}

/** Users bypass mongoose's casts. Their types are above. */
function userSchema() {
  return nativeSchema<UserDocument>().index({ email: 1 }, { unique: true });
}

export function createUsers(connection: Connection): Users {
  const collection = usersCollection(connection);
  const { writeConcern } = ADMIN_WRITE;
  return {
    async insertUser(user) {
      try {
        await collection.insertOne(USER.toDocument(user), { writeConcern });
        return { status: 'inserted' };
      } catch (error) {
        if (isDuplicateKey(error)) return { status: 'exists' };
        throw error;
      }
    },
    findUser: async (userId) => USER.found(await collection.findOne({ _id: userId })),
    findUserByEmail: async (email) => USER.found(await collection.findOne({ email })),
    async findUsers(userIds) {
      const documents = await collection.find({ _id: { $in: [...userIds] } }).toArray();
      return documents.map(USER.fromDocument);
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
      return documents.map(USER.fromDocument);
    },
    async setOperator(userId, operator) {
      await collection.updateOne({ _id: userId }, { $set: { operator } }, { writeConcern });
    },
  };
}
