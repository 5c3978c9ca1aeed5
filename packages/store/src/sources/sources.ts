import type { SourceKind } from '@sluice/contract/delivery/source-kind';
import type { Connection, mongo } from 'mongoose';
import { CHANGE_WRITE } from '../changed-since.ts';
import { ADMIN_WRITE } from '../writing/admin-write.ts';
import { registerCollection } from '../writing/native-collection.ts';
import type { Resealed, Source, SourceChange } from './source.ts';
import {
  fromDocument,
  RENAMED_NOW,
  type SourceDocument,
  sourceSchema,
  storedFields,
  toStoredReplies,
  updateOf,
} from './source-document.ts';

/** Selects sources. Without a kind it selects all of them, deleted ones too. */
export interface SourceQuery {
  readonly account_id?: string;
  readonly kind?: SourceKind;
  /** Leaves out deleted sources. */
  readonly live?: true;
}

export interface Sources {
  /** Resolves to the source as stored. */
  insertSource(source: Source): Promise<Source>;
  findSource(sourceId: string): Promise<Source | undefined>;
  /** The ids of those sources that exist. */
  existingSources(sourceIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Oldest first. */
  listSources(query?: SourceQuery): Promise<readonly Source[]>;
  /** Whether a sealed secret matches the pattern; without a pattern, whether any sealed secret exists. */
  hasSealed(pattern?: RegExp): Promise<boolean>;
  /** Sources whose previous secret may be deleted at `nowMs` (ms since the Unix epoch). */
  listForgettable(nowMs: number): Promise<readonly Source[]>;
  /**
   * Changes a source and increments its version, atomically. Without a change, only the version is incremented.
   * Undefined if the source doesn't exist, or if it no longer has the given `version`.
   */
  changeSource(
    sourceId: string,
    change: SourceChange | undefined,
    version?: number,
  ): Promise<Source | undefined>;
  /** Replaces or drops the sealed texts and increments the version. Undefined if the stored texts differ from `from`. */
  resealSource(sourceId: string, sealed: Resealed): Promise<Source | undefined>;
}

export function createSources(connection: Connection): Sources {
  const collection = registerCollection(connection, 'Source', sourceSchema(), 'sources');
  const found = (document: SourceDocument | null) => (document === null ? undefined : fromDocument(document));
  const update = async (which: mongo.Filter<SourceDocument>, change: mongo.UpdateFilter<SourceDocument>) => {
    const options = { ...ADMIN_WRITE, returnDocument: 'after' } as const;
    return found(await collection.findOneAndUpdate(which, change, options));
  };
  return {
    async insertSource({ source_id: _id, renamed_at: _, ...source }) {
      // Only an update can set the server's time. The filter matches nothing, so an existing id is a duplicate key.
      const options = { ...CHANGE_WRITE, upsert: true, returnDocument: 'after' } as const;
      const set = { $set: { schema_version: 1, ...storedFields(source) }, ...RENAMED_NOW };
      const document = await collection.findOneAndUpdate({ _id, schema_version: 0 }, set, options);
      return fromDocument(document as SourceDocument);
    },
    async findSource(sourceId) {
      // A rotation that a failover rolls back must not be published: its version would be given again to another secret.
      return found(await collection.findOne({ _id: sourceId }, { readConcern: { level: 'majority' } }));
    },
    async existingSources(sourceIds) {
      const wanted = { _id: { $in: [...sourceIds] } };
      const existing = await collection.find(wanted, { projection: { _id: 1 } }).toArray();
      return new Set(existing.map(({ _id }) => _id));
    },
    async listSources({ kind, live, ...query } = {}) {
      const wanted = { ...query, ...kindFilter(kind), ...(live && { deleted_at: { $exists: false } }) };
      return (await collection.find(wanted).sort({ created_at: 1 }).toArray()).map(fromDocument);
    },
    async hasSealed(pattern) {
      const wanted = { sealed_secret: pattern ?? { $exists: true } };
      return (await collection.findOne(wanted, { projection: { _id: 1 } })) !== null;
    },
    async listForgettable(nowMs) {
      const due = { 'previous_secret.forget_at': { $lte: new Date(nowMs) } };
      return (await collection.find(due).toArray()).map(fromDocument);
    },
    resealSource(sourceId, { from, to, previous, reply, previousReplies: older }) {
      const $set = {
        sealed_secret: to,
        ...(previous?.to === null && { previous_secret: null }),
        ...(previous && previous.to !== null && { 'previous_secret.sealed_secret': previous.to }),
        ...(reply && { sealed_reply_secret: reply.to }),
        ...(older && { previous_reply_secrets: toStoredReplies(older.to) }),
      };
      const guard = {
        ...(previous && { 'previous_secret.sealed_secret': previous.from }),
        ...(reply && { sealed_reply_secret: reply.from }),
        ...(older && { version: older.version }),
      };
      return update({ _id: sourceId, sealed_secret: from, ...guard }, { $set, $inc: { version: 1 } });
    },
    changeSource: (sourceId, change, version) =>
      update(
        { _id: sourceId, ...(version !== undefined && { version }) },
        { ...(change !== undefined && updateOf(change)), $inc: { version: 1 } },
      ),
  };
}

function kindFilter(kind: SourceKind | undefined) {
  if (kind === undefined) return {};
  return { kind: kind === 'events' ? { $exists: false } : kind };
}
