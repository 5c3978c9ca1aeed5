import type { Connection } from 'mongoose';
import { ADMIN_WRITE } from '../writing/admin-write.ts';
import { nativeSchema, registerCollection } from '../writing/native-collection.ts';
import { type DocumentOf, storedRecord } from '../writing/stored-record.ts';

/**
 * The purpose of a user's token. `device` marks a browser that has signed in before. `second_factor` is a sign-in with a
 * correct password that still needs its code. `password_reset` is a link that sets a new password.
 */
export type UserTokenKind = 'device' | 'second_factor' | 'password_reset';

/** A random value in a browser or a link. Only its hash is stored. Times are milliseconds since the Unix epoch. */
export interface UserToken {
  /** SHA-256 of the token, in hex. A reader of the database can't use it as a token. */
  readonly token_hash: string;
  readonly kind: UserTokenKind;
  readonly user_id: string;
  /** For `second_factor`: the account to open after sign-in. */
  readonly account_id?: string;
  readonly created_at: number;
  readonly expires_at: number;
}

export interface UserTokens {
  insertUserToken(token: UserToken): Promise<void>;
  /** Also finds expired tokens until the TTL index removes them, so check `expires_at`. */
  findUserToken(kind: UserTokenKind, tokenHash: string): Promise<UserToken | undefined>;
  /** Deletes and returns the token. Of concurrent callers, exactly one gets it. */
  takeUserToken(kind: UserTokenKind, tokenHash: string): Promise<UserToken | undefined>;
  /** Deletes the tokens of a user: all of them, or those of some kinds. */
  endUserTokens(userId: string, kinds?: readonly UserTokenKind[]): Promise<void>;
}

const USER_TOKEN = storedRecord<UserToken>()('token_hash', ['created_at', 'expires_at']);

function userTokenSchema() {
  return nativeSchema<DocumentOf<typeof USER_TOKEN>>()
    .index({ user_id: 1, kind: 1 })
    .index({ expires_at: 1 }, { expireAfterSeconds: 0 });
}

export function createUserTokens(connection: Connection): UserTokens {
  const collection = registerCollection(connection, 'UserToken', userTokenSchema(), 'user_tokens');
  const { writeConcern } = ADMIN_WRITE;
  return {
    async insertUserToken(token) {
      await collection.insertOne(USER_TOKEN.toDocument(token), { writeConcern });
    },
    findUserToken: async (kind, tokenHash) =>
      USER_TOKEN.found(await collection.findOne({ _id: tokenHash, kind })),
    takeUserToken: async (kind, tokenHash) =>
      USER_TOKEN.found(await collection.findOneAndDelete({ _id: tokenHash, kind }, { writeConcern })),
    async endUserTokens(user_id, kinds) {
      const some = kinds === undefined ? {} : { kind: { $in: [...kinds] } };
      await collection.deleteMany({ user_id, ...some }, { writeConcern });
    },
  };
}
