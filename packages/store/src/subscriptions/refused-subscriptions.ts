import { hash } from 'node:crypto';
import type { ProblemCode } from '@sluice/contract/problem/problem';
import { DAY_SECONDS } from '@sluice/contract/time/durations';
import type { Connection, mongo } from 'mongoose';
import { nativeSchema, registerCollection } from '../writing/native-collection.ts';
import { type DocumentOf, storedRecord } from '../writing/stored-record.ts';

/** A create that was rejected, counted by key, URL and reason. Times are milliseconds since the Unix epoch. */
export interface RefusedSubscription {
  readonly refused_id: string;
  readonly account_id: string;
  readonly key_id: string;
  /** null: the request was rejected before its body was read. */
  readonly target_url: string | null;
  readonly code: ProblemCode;
  readonly detail: string;
  /** The User-Agent of the last request. */
  readonly client: string | null;
  readonly count: number;
  readonly first_at: number;
  readonly last_at: number;
}

export type RefusedCreate = Omit<RefusedSubscription, 'refused_id' | 'count' | 'first_at' | 'last_at'>;

export interface RefusedSubscriptions {
  /** Counts a rejected create at `at`, milliseconds since the Unix epoch. */
  noteRefused(refused: RefusedCreate, at: number): Promise<void>;
  /** The account's, the latest first. */
  listRefused(accountId: string): Promise<readonly RefusedSubscription[]>;
  /** Removes them when the key has subscribed to the URL. */
  forgetRefused(accountId: string, keyId: string, targetUrl: string): Promise<void>;
}

const REFUSED = storedRecord<RefusedSubscription>()('refused_id', ['first_at', 'last_at']);
type RefusedDocument = DocumentOf<typeof REFUSED>;

const RETENTION_SECONDS = 30 * DAY_SECONDS;
/** Rows of one account. A client that sends ever new URLs replaces its oldest ones. */
const MOST = 50;

function refusedSchema() {
  return nativeSchema<RefusedDocument>()
    .index({ account_id: 1, last_at: -1 })
    .index({ last_at: 1 }, { expireAfterSeconds: RETENTION_SECONDS });
}

export function createRefusedSubscriptions(connection: Connection): RefusedSubscriptions {
  const collection = registerCollection(
    connection,
    'RefusedSubscription',
    refusedSchema(),
    'refused_subscriptions',
  );
  return {
    async noteRefused(refused, at) {
      const { account_id, key_id, target_url, code, detail, client } = refused;
      const _id = hash('sha256', JSON.stringify([account_id, key_id, target_url, code]), 'hex').slice(0, 32);
      const update: mongo.UpdateFilter<RefusedDocument> = {
        $set: { detail, client, last_at: new Date(at) },
        $inc: { count: 1 },
        $setOnInsert: { schema_version: 1, account_id, key_id, target_url, code, first_at: new Date(at) },
      };
      const { upsertedCount } = await collection.updateOne({ _id }, update, { upsert: true });
      if (upsertedCount === 0) return;
      const old = collection.find({ account_id }, { projection: { _id: 1 } }).sort({ last_at: -1 });
      const beyond = await old.skip(MOST).toArray();
      if (beyond.length > 0) await collection.deleteMany({ _id: { $in: beyond.map((one) => one._id) } });
    },
    async listRefused(account_id) {
      const found = await collection.find({ account_id }).sort({ last_at: -1 }).limit(MOST).toArray();
      return found.map(REFUSED.fromDocument);
    },
    async forgetRefused(account_id, key_id, target_url) {
      await collection.deleteMany({ account_id, key_id, target_url: { $in: [target_url, null] } });
    },
  };
}
