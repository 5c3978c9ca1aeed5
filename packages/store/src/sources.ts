import {
  BODY_STORAGES,
  type BodyStorage,
  bodyStorageOf,
  type StoredBodyStorage,
  storedBodyStorage,
} from '@sluice/contract/body-storage';
import { type Connection, Schema } from 'mongoose';
import { ADMIN_WRITE } from './admin-write.ts';

export interface Source {
  readonly source_id: string;
  readonly account_id: string;
  readonly name: string;
  readonly active: boolean;
  /** The signing secret, encrypted (credentials/seal.ts) with the source id as its context. */
  readonly sealed_secret: string;
  /** 1 when made, one more with every change of the source or of its account's plan. */
  readonly version: number;
  /** Requests a second; null is the installation's default. */
  readonly rate_per_second: number | null;
  /** Requests at once; null is the installation's default. */
  readonly rate_burst: number | null;
  /** Of which of its signed requests the bodies are kept. */
  readonly body_storage: BodyStorage;
  /** Milliseconds since the Unix epoch. */
  readonly created_at: number;
  readonly secret_rotated_at: number | null;
}

/** What an admin changes of a source. */
export type SourceChange =
  | { readonly active: boolean }
  | { readonly sealed_secret: string; readonly secret_rotated_at: number }
  | SourceSettings;

export interface SourceSettings {
  readonly name?: string;
  readonly body_storage?: BodyStorage;
  readonly rate_per_second?: number | null;
  readonly rate_burst?: number | null;
}

export interface Sources {
  insertSource(source: Source): Promise<void>;
  findSource(sourceId: string): Promise<Source | undefined>;
  /** Oldest first; of one account, or of all. */
  listSources(query?: { readonly account_id?: string }): Promise<readonly Source[]>;
  /** Changes a source and raises its version, as one step. No change at all raises the version alone. */
  changeSource(sourceId: string, change: SourceChange | undefined): Promise<Source | undefined>;
  /** Puts another sealed text in the place of this one and raises the version; undefined where another stands there. */
  resealSource(
    sourceId: string,
    sealed: { readonly from: string; readonly to: string },
  ): Promise<Source | undefined>;
}

interface SourceDocument
  extends Omit<Source, 'source_id' | 'body_storage' | 'created_at' | 'secret_rotated_at'>,
    StoredBodyStorage {
  readonly _id: string;
  readonly schema_version: number;
  readonly created_at: Date;
  readonly secret_rotated_at: Date | null;
}

function sourceSchema() {
  return new Schema<SourceDocument>(
    {
      _id: { type: String, required: true },
      schema_version: { type: Number, required: true, default: 1 },
      account_id: { type: String, required: true },
      name: { type: String, required: true },
      active: { type: Boolean, required: true },
      sealed_secret: { type: String, required: true },
      version: { type: Number, required: true },
      rate_per_second: { type: Number, default: null },
      rate_burst: { type: Number, default: null },
      body_storage: { type: String, enum: BODY_STORAGES },
      keep_bodies: { type: Boolean },
      created_at: { type: Date, required: true },
      secret_rotated_at: { type: Date, default: null },
    },
    { versionKey: false, strict: 'throw' },
  )
    .index({ account_id: 1, created_at: 1 })
    .index({ created_at: 1 });
}

export function createSources(connection: Connection): Sources {
  const model = connection.model<SourceDocument>('Source', sourceSchema(), 'sources');
  return {
    async insertSource({ source_id, body_storage, created_at, secret_rotated_at, ...rest }) {
      const dates = { created_at: new Date(created_at), secret_rotated_at: dateOrNull(secret_rotated_at) };
      await model.create({ _id: source_id, ...rest, ...storedBodyStorage(body_storage), ...dates });
    },
    async findSource(sourceId) {
      const document = await model.findById(sourceId).lean();
      return document === null ? undefined : fromDocument(document);
    },
    async listSources(query = {}) {
      return (await model.find(query).sort({ created_at: 1 }).lean()).map(fromDocument);
    },
    async resealSource(sourceId, { from, to }) {
      const update = { $set: { sealed_secret: to }, $inc: { version: 1 } };
      const options = { ...ADMIN_WRITE, returnDocument: 'after' } as const;
      const document = await model
        .findOneAndUpdate({ _id: sourceId, sealed_secret: from }, update, options)
        .lean();
      return document === null ? undefined : fromDocument(document);
    },
    async changeSource(sourceId, change) {
      const update = { ...(change !== undefined && { $set: fieldsOf(change) }), $inc: { version: 1 } };
      const options = { ...ADMIN_WRITE, returnDocument: 'after' } as const;
      const document = await model.findOneAndUpdate({ _id: sourceId }, update, options).lean();
      return document === null ? undefined : fromDocument(document);
    },
  };
}

function fieldsOf(change: SourceChange) {
  if ('body_storage' in change && change.body_storage !== undefined)
    return { ...change, ...storedBodyStorage(change.body_storage) };
  if (!('secret_rotated_at' in change)) return change;
  return { ...change, secret_rotated_at: new Date(change.secret_rotated_at) };
}

function dateOrNull(epochMs: number | null): Date | null {
  return epochMs === null ? null : new Date(epochMs);
}

function fromDocument({ _id, created_at, secret_rotated_at, ...rest }: SourceDocument): Source {
  const { account_id, name, active, sealed_secret, version, rate_per_second, rate_burst } = rest;
  return {
    source_id: _id,
    account_id,
    name,
    active,
    sealed_secret,
    version,
    rate_per_second,
    rate_burst,
    body_storage: bodyStorageOf(rest),
    created_at: created_at.getTime(),
    secret_rotated_at: secret_rotated_at?.getTime() ?? null,
  };
}
