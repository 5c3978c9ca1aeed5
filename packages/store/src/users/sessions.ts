import type { Connection } from 'mongoose';
import { ADMIN_WRITE } from '../writing/admin-write.ts';
import { nativeSchema, registerCollection } from '../writing/native-collection.ts';
import { type DocumentOf, storedRecord } from '../writing/stored-record.ts';

/** One place where a user is signed in. Times are milliseconds since the Unix epoch. */
export interface Session {
  /** SHA-256 of the cookie's value, in hex. A reader of the database can't sign in with it. */
  readonly token_hash: string;
  /** Identifies the session in lists; it isn't valid as a cookie. */
  readonly session_id: string;
  readonly user_id: string;
  /** The account that the user is working in. */
  readonly account_id: string;
  readonly created_at: number;
  readonly last_seen_at: number;
  readonly expires_at: number;
  readonly address: string;
  readonly user_agent: string;
}

export interface Sessions {
  insertSession(session: Session): Promise<void>;
  findSession(tokenHash: string): Promise<Session | undefined>;
  /** Most recently seen first. */
  listSessions(userId: string): Promise<readonly Session[]>;
  /** Records that it is in use, and its new expiry. False: it has ended. */
  touchSession(tokenHash: string, seen: Pick<Session, 'last_seen_at' | 'expires_at'>): Promise<boolean>;
  switchAccount(tokenHash: string, accountId: string): Promise<void>;
  /** Returns false if the user has no such session. */
  endSession(userId: string, sessionId: string): Promise<boolean>;
  /** Ends all sessions of a user, all but one, or those in one account. */
  endSessions(which: {
    readonly user_id: string;
    readonly except?: string;
    readonly account_id?: string;
  }): Promise<void>;
}

const SESSION = storedRecord<Session>()('token_hash', ['created_at', 'last_seen_at', 'expires_at']);

function sessionSchema() {
  return nativeSchema<DocumentOf<typeof SESSION>>()
    .index({ user_id: 1, last_seen_at: -1 })
    .index({ expires_at: 1 }, { expireAfterSeconds: 0 });
}

export function createSessions(connection: Connection): Sessions {
  const collection = registerCollection(connection, 'Session', sessionSchema(), 'sessions');
  const { writeConcern } = ADMIN_WRITE;
  return {
    async insertSession(session) {
      await collection.insertOne(SESSION.toDocument(session), { writeConcern });
    },
    findSession: async (tokenHash) => SESSION.found(await collection.findOne({ _id: tokenHash })),
    async listSessions(user_id) {
      const documents = await collection.find({ user_id }).sort({ last_seen_at: -1 }).toArray();
      return documents.map(SESSION.fromDocument);
    },
    async touchSession(tokenHash, { last_seen_at, expires_at }) {
      const seen = { last_seen_at: new Date(last_seen_at), expires_at: new Date(expires_at) };
      return (await collection.updateOne({ _id: tokenHash }, { $set: seen })).matchedCount === 1;
    },
    async switchAccount(tokenHash, account_id) {
      await collection.updateOne({ _id: tokenHash }, { $set: { account_id } }, { writeConcern });
    },
    async endSession(user_id, session_id) {
      return (await collection.deleteOne({ user_id, session_id }, { writeConcern })).deletedCount === 1;
    },
    async endSessions({ user_id, except, account_id }) {
      const others = except === undefined ? {} : { session_id: { $ne: except } };
      const inAccount = account_id === undefined ? {} : { account_id };
      await collection.deleteMany({ user_id, ...others, ...inAccount }, { writeConcern });
    },
  };
}
