import type { AuditAction } from '@sluice/contract/account/audit-actions';
import type { Doer } from '@sluice/contract/account/doer';
import { DAY_SECONDS } from '@sluice/contract/time/durations';
import type { Connection } from 'mongoose';
import { beyondPlace } from '../reading/beyond-place.ts';
import { LIST_BATCH } from '../reading/list-batch.ts';
import { type Page, readPage } from '../reading/read-page.ts';
import { ADMIN_WRITE } from '../writing/admin-write.ts';
import { insertNew, nativeSchema, registerCollection } from '../writing/native-collection.ts';
import { type DocumentOf, storedRecord } from '../writing/stored-record.ts';
import { isDuplicateKey } from '../writing/write-errors.ts';

/** An action in an account, with its actor, time and address. Never contains a secret. */
export interface AuditEntry {
  readonly audit_id: string;
  readonly account_id: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly action: AuditAction;
  /** A user (also the command line), or an API key. */
  readonly actor: Doer['actor'];
  readonly address: string;
  readonly target: { readonly id: string; readonly name: string };
  readonly detail: string | null;
  /** The change has begun, and it is unknown whether it was made. Absent: it was made. */
  readonly unconfirmed?: true;
}

/** An entry before its change is announced. `new`: there is none. */
export type Announced = 'new' | 'confirmed' | 'unconfirmed';

export interface AuditQuery {
  readonly account_id: string;
  readonly action?: AuditAction;
  /** Only entries older than this one: the last entry of the previous page. */
  readonly before?: { readonly at: number; readonly audit_id: string };
  readonly limit: number;
}

export interface AuditLog {
  insertEntry(entry: AuditEntry): Promise<void>;
  /** Inserts many in one round trip. Idempotent: an existing entry stays unchanged. If it rejects, some may be stored. */
  insertEntries(entries: readonly AuditEntry[]): Promise<void>;
  /**
   * Idempotent, for an action that continues or is retried. The first entry with an id is kept, with the latest
   * detail.
   */
  putEntry(entry: AuditEntry): Promise<void>;
  /** Stores the entry of a change before the change, as unconfirmed. An entry with its id stays, and is unconfirmed again. */
  announceEntry(entry: AuditEntry): Promise<Announced>;
  /** Confirms an announced entry, with what was changed in the end. Without a detail, it keeps the one it has. */
  confirmEntry(entry: AuditEntry): Promise<void>;
  /**
   * Takes an announcement back, because nothing was changed. The entry stays unconfirmed if another request has announced it too:
   * that one may be making the change.
   */
  withdrawEntry(auditId: string, announced: Announced): Promise<void>;
  /** Confirms what an action has left unconfirmed before a time (ms), once a later run of it has completed the change. */
  confirmInterrupted(
    action: AuditAction,
    later: { readonly before: number; readonly detail: string },
  ): Promise<void>;
  /** Newest first. See read-page.ts for the limits of a page. */
  pageEntries(query: AuditQuery): Promise<Page<AuditEntry>>;
}

const ENTRY = storedRecord<AuditEntry>()('audit_id', ['at']);

interface AuditDocument extends DocumentOf<typeof ENTRY> {
  /** How many requests have announced it since it was confirmed. Absent: it is confirmed. */
  readonly announced?: number;
}

const NEWEST_FIRST = { at: -1, _id: -1 } as const;

/** 400 days, so that a whole year is always visible. */
const RETENTION_SECONDS = 400 * DAY_SECONDS;

function auditSchema() {
  return nativeSchema<AuditDocument>()
    .index({ account_id: 1, ...NEWEST_FIRST })
    .index({ at: 1 }, { expireAfterSeconds: RETENTION_SECONDS });
}

export function createAuditLog(connection: Connection): AuditLog {
  const collection = registerCollection(connection, 'AuditEntry', auditSchema(), 'audit_log');
  const { writeConcern } = ADMIN_WRITE;
  const announce = async (entry: AuditEntry): Promise<Announced> => {
    try {
      await collection.insertOne(
        { ...ENTRY.toDocument(entry), unconfirmed: true, announced: 1 },
        { writeConcern },
      );
      return 'new';
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    const once = { $set: { unconfirmed: true }, $inc: { announced: 1 } } as const;
    const before = await collection.findOneAndUpdate({ _id: entry.audit_id }, once, { writeConcern });
    // Another request has withdrawn it between the two commands.
    if (before === null) return announce(entry);
    return before.unconfirmed ? 'unconfirmed' : 'confirmed';
  };
  return {
    async insertEntry(entry) {
      await collection.insertOne(ENTRY.toDocument(entry), { writeConcern });
    },
    async insertEntries(entries) {
      await insertNew(collection, entries.map(ENTRY.toDocument), { writeConcern });
    },
    async putEntry({ audit_id, at, detail, ...rest }) {
      const fixed = { schema_version: 1 as const, ...rest, at: new Date(at) };
      const update =
        detail === null ? { $setOnInsert: { ...fixed, detail } } : { $set: { detail }, $setOnInsert: fixed };
      await collection.updateOne({ _id: audit_id }, update, { upsert: true, writeConcern });
    },
    announceEntry: announce,
    async confirmEntry({ audit_id, action, target, detail, unconfirmed: _, at, ...rest }) {
      const fixed = { schema_version: 1 as const, ...rest, at: new Date(at) };
      const update = {
        $unset: { unconfirmed: true, announced: true },
        ...(detail === null
          ? { $set: { action, target }, $setOnInsert: { ...fixed, detail } }
          : { $set: { action, target, detail }, $setOnInsert: fixed }),
      } as const;
      await collection.updateOne({ _id: audit_id }, update, { upsert: true, writeConcern });
    },
    async withdrawEntry(_id, announced) {
      const own = { _id, announced: 1 } as const;
      if (announced === 'new') await collection.deleteOne(own, { writeConcern });
      if (announced === 'confirmed')
        await collection.updateOne(own, { $unset: { unconfirmed: true, announced: true } }, { writeConcern });
    },
    async confirmInterrupted(action, { before, detail }) {
      const interrupted = { action, unconfirmed: true, at: { $lt: new Date(before) } } as const;
      const update = { $set: { detail }, $unset: { unconfirmed: true, announced: true } } as const;
      await collection.updateMany(interrupted, update, { writeConcern });
    },
    async pageEntries({ account_id, action, before, limit }) {
      const filter = {
        account_id,
        ...(action !== undefined && { action }),
        ...(before !== undefined &&
          beyondPlace<AuditDocument>('at', -1, { at: before.at, id: before.audit_id })),
      };
      const cursor = collection
        .find(filter)
        .sort(NEWEST_FIRST)
        .limit(limit + 1)
        .batchSize(LIST_BATCH);
      return readPage(cursor, limit, fromDocument);
    },
  };
}

function fromDocument({ announced: _, ...document }: AuditDocument): AuditEntry {
  return ENTRY.fromDocument(document);
}
