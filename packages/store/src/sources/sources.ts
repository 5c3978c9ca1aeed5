import type { SourceKind } from '@sluice/contract/delivery/source-kind';
import type { Connection } from 'mongoose';
import { CHANGE_WRITE } from '../changed-since.ts';
import { ADMIN_WRITE } from '../writing/admin-write.ts';
import type { Resealed, Source, SourceChange } from './source.ts';
import {
  dateOrNull,
  fromDocument,
  RENAMED_NOW,
  type SourceDocument,
  sourceSchema,
  toStored,
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
  const model = connection.model<SourceDocument>('Source', sourceSchema(), 'sources');
  return {
    async insertSource({
      source_id,
      created_at,
      secret_rotated_at,
      previous_secret,
      previous_reply_secrets: replies,
      ...rest
    }) {
      const dates = { created_at: new Date(created_at), secret_rotated_at: dateOrNull(secret_rotated_at) };
      const previous = previous_secret === null ? {} : { previous_secret: toStored(previous_secret) };
      const older = replies === undefined ? {} : { previous_reply_secrets: toStoredReplies(replies) };
      const fields = { schema_version: 1, ...rest, ...dates, ...previous, ...older };
      // Only an update can set the server's time. The filter matches nothing, so an existing id is a duplicate key.
      const document = await model
        .findOneAndUpdate(
          { _id: source_id, schema_version: 0 },
          { $set: fields, ...RENAMED_NOW },
          { ...CHANGE_WRITE, upsert: true, runValidators: true, returnDocument: 'after' },
        )
        .lean();
      return fromDocument(document);
    },
    async findSource(sourceId) {
      // A rotation that a failover rolls back must not be published: its version would be given again to another secret.
      const document = await model.findById(sourceId).readConcern('majority').lean();
      return document === null ? undefined : fromDocument(document);
    },
    async existingSources(sourceIds) {
      const found = await model.find({ _id: { $in: [...sourceIds] } }, { _id: 1 }).lean();
      return new Set(found.map(({ _id }) => _id));
    },
    async listSources({ kind, live, ...query } = {}) {
      return (
        await model
          .find({ ...query, ...kindFilter(kind), ...(live && { deleted_at: { $exists: false } }) })
          .sort({ created_at: 1 })
          .lean()
      ).map(fromDocument);
    },
    async hasSealed(pattern) {
      return (await model.exists({ sealed_secret: pattern ?? { $exists: true } })) !== null;
    },
    async listForgettable(nowMs) {
      const due = { 'previous_secret.forget_at': { $lte: new Date(nowMs) } };
      return (await model.find(due).lean()).map(fromDocument);
    },
    async resealSource(sourceId, { from, to, previous, reply, previousReplies: older }) {
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
      const found = { _id: sourceId, sealed_secret: from, ...guard };
      const options = { ...ADMIN_WRITE, returnDocument: 'after' } as const;
      const document = await model.findOneAndUpdate(found, { $set, $inc: { version: 1 } }, options).lean();
      return document === null ? undefined : fromDocument(document);
    },
    async changeSource(sourceId, change, version) {
      const update = { ...(change !== undefined && updateOf(change)), $inc: { version: 1 } };
      const options = { ...ADMIN_WRITE, returnDocument: 'after' } as const;
      const wanted = { _id: sourceId, ...(version !== undefined && { version }) };
      const document = await model.findOneAndUpdate(wanted, update, options).lean();
      return document === null ? undefined : fromDocument(document);
    },
  };
}

function kindFilter(kind: SourceKind | undefined) {
  if (kind === undefined) return {};
  return { kind: kind === 'events' ? { $exists: false } : kind };
}
