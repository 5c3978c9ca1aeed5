import type { Connection } from 'mongoose';
import { ADMIN_WRITE } from '../writing/admin-write.ts';
import { nativeSchema, registerCollection } from '../writing/native-collection.ts';

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

interface UserTokenDocument extends Omit<UserToken, 'token_hash' | 'created_at' | 'expires_at'> {
  readonly _id: string;
  readonly schema_version: 1;
  readonly created_at: Date;
  readonly expires_at: Date;
}

function userTokenSchema() {
  return nativeSchema<UserTokenDocument>()
    .index({ user_id: 1, kind: 1 })
    .index({ expires_at: 1 }, { expireAfterSeconds: 0 });
}

export function createUserTokens(connection: Connection): UserTokens {
  const collection = registerCollection(connection, 'UserToken', userTokenSchema(), 'user_tokens');
  const { writeConcern } = ADMIN_WRITE;
  return {
    async insertUserToken({ token_hash, created_at, expires_at, ...rest }) {
      const times = { created_at: new Date(created_at), expires_at: new Date(expires_at) };
      await collection.insertOne({ _id: token_hash, schema_version: 1, ...rest, ...times }, { writeConcern });
    },
    findUserToken: async (kind, tokenHash) =>
      fromDocument(await collection.findOne({ _id: tokenHash, kind })),
    takeUserToken: async (kind, tokenHash) =>
      fromDocument(await collection.findOneAndDelete({ _id: tokenHash, kind }, { writeConcern })),
    async endUserTokens(user_id, kinds) {
      const some = kinds === undefined ? {} : { kind: { $in: [...kinds] } };
      await collection.deleteMany({ user_id, ...some }, { writeConcern });
    },
  };
}

function fromDocument(document: UserTokenDocument | null): UserToken | undefined {
  if (document === null) return undefined;
  const { _id, schema_version: _, created_at, expires_at, ...rest } = document;
  return { token_hash: _id, ...rest, created_at: created_at.getTime(), expires_at: expires_at.getTime() };
}
