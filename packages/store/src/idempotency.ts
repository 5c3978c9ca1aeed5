import type { FieldError, ProblemCode } from '@sluice/contract/problem/problem';
import type { Connection } from 'mongoose';
import { nativeSchema, registerCollection } from './writing/native-collection.ts';
import { type DocumentOf, storedRecord } from './writing/stored-record.ts';
import { isDuplicateKey } from './writing/write-errors.ts';

/** How a request ended: its status and the id of its record, or its rejection. Never a body of request or response. */
export type KeptAnswer =
  | { readonly status: number; readonly target: string }
  | { readonly code: ProblemCode; readonly detail: string; readonly errors: readonly FieldError[] };

/** A request with an Idempotency-Key. Times are milliseconds since the Unix epoch. */
export interface IdempotencyRecord {
  /** SHA-256 of API key, method, path, query and Idempotency-Key: one record for each of these. */
  readonly record_id: string;
  readonly account_id: string;
  /** A keyed hash of the body. */
  readonly body_hash: string;
  /** All ids that the request may create, by prefix. A takeover creates under the same ids. */
  readonly ids: Readonly<Record<string, string>>;
  /** Random: names the process run that has the lease. */
  readonly holder: string;
  /** While no answer is kept, another process may take the request over from then on. */
  readonly lease_until: number;
  readonly answer: KeptAnswer | null;
  readonly expires_at: number;
}

export type Begun =
  | { readonly status: 'begun' }
  | { readonly status: 'exists'; readonly record: IdempotencyRecord };

export interface Idempotency {
  /** Stores the record of a new request, or returns the one that exists. It may have expired. */
  begin(record: IdempotencyRecord): Promise<Begun>;
  /** Replaces a record that the caller has read, so that one caller takes it over. False: it was changed meanwhile. */
  replace(read: IdempotencyRecord, next: IdempotencyRecord): Promise<boolean>;
  /** Keeps the answer. False: another process has taken the request over. */
  keepAnswer(record: Pick<IdempotencyRecord, 'record_id' | 'holder'>, answer: KeptAnswer): Promise<boolean>;
  /** Ends the lease at once, so that the next try needs not wait for it. */
  endLease(record: Pick<IdempotencyRecord, 'record_id' | 'holder'>): Promise<void>;
  /** Removes the records of requests that made or changed this object, when it is erased. */
  forgetTarget(accountId: string, target: string): Promise<void>;
}

const RECORD = storedRecord<IdempotencyRecord>()('record_id', ['lease_until', 'expires_at']);

interface IdempotencyDocument extends DocumentOf<typeof RECORD> {
  /** The ids, and the id of the answer's record. */
  readonly targets: readonly string[];
}

function idempotencySchema() {
  return nativeSchema<IdempotencyDocument>()
    .index({ targets: 1 })
    .index({ expires_at: 1 }, { expireAfterSeconds: 0 });
}

export function createIdempotency(connection: Connection): Idempotency {
  const collection = registerCollection(
    connection,
    'IdempotencyRecord',
    idempotencySchema(),
    'idempotency_keys',
  );
  return {
    async begin(record) {
      try {
        await collection.insertOne(toDocument(record));
        return { status: 'begun' };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const existing = await collection.findOne({ _id: record.record_id });
      // The TTL index removed it between the two commands.
      if (existing === null) return this.begin(record);
      return { status: 'exists', record: fromDocument(existing) };
    },
    async replace({ record_id, holder, lease_until }, next) {
      const { _id, ...rest } = toDocument(next);
      const unchanged = { _id: record_id, holder, lease_until: new Date(lease_until) };
      return (await collection.replaceOne(unchanged, rest as IdempotencyDocument)).matchedCount === 1;
    },
    async keepAnswer({ record_id, holder }, answer) {
      const added = 'target' in answer ? { $addToSet: { targets: answer.target } } : {};
      const held = { _id: record_id, holder, answer: null };
      return (await collection.updateOne(held, { $set: { answer }, ...added })).matchedCount === 1;
    },
    async endLease({ record_id, holder }) {
      await collection.updateOne(
        { _id: record_id, holder, answer: null },
        { $set: { lease_until: new Date(0) } },
      );
    },
    async forgetTarget(account_id, target) {
      await collection.deleteMany({ targets: target, account_id });
    },
  };
}

function toDocument(record: IdempotencyRecord): IdempotencyDocument {
  const { ids, answer } = record;
  const target = answer !== null && 'target' in answer ? [answer.target] : [];
  const targets = [...new Set([...Object.values(ids), ...target])];
  return { ...RECORD.toDocument(record), targets };
}

function fromDocument({ targets: _, ...document }: IdempotencyDocument): IdempotencyRecord {
  return RECORD.fromDocument(document);
}
