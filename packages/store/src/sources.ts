import {
  BODY_STORAGES,
  type BodyStorage,
  bodyStorageOf,
  type StoredBodyStorage,
  storedBodyStorage,
} from '@sluice/contract/body-storage';
import type { SourceKind } from '@sluice/contract/source-kind';
import { type Connection, Schema } from 'mongoose';
import { ADMIN_WRITE } from './admin-write.ts';

export interface Source {
  readonly source_id: string;
  readonly account_id: string;
  readonly name: string;
  readonly active: boolean;
  /** The signing secret, encrypted (credentials/seal.ts) with the source id as its context. */
  readonly sealed_secret: string;
  /** Starts at 1. Every change of the source or of its account's plan adds 1. */
  readonly version: number;
  /** Requests per second; null is the installation's default. */
  readonly rate_per_second: number | null;
  /** Burst size in requests; null is the installation's default. */
  readonly rate_burst: number | null;
  /** Selects the signed requests whose bodies are kept. */
  readonly body_storage: BodyStorage;
  /** Milliseconds since the Unix epoch. */
  readonly created_at: number;
  readonly secret_rotated_at: number | null;
  /** The secret that the last rotation replaced; null if there is none or it was deleted. */
  readonly previous_secret: PreviousSecret | null;
  /** Absent: it sends events. */
  readonly kind?: 'channel';
  /** The URL that gets the replies of a channel; null: none. Only channels have it. */
  readonly reply_url?: string | null;
  /** The secret that signs a channel's replies, encrypted with `replySecretContext` as its context. */
  readonly sealed_reply_secret?: string;
  /** Whether a channel makes a lead for a contact whose email no lead has. */
  readonly makes_leads?: boolean;
}

/** A source of conversations. Its `source_id` is the channel's id. */
export type Channel = Source & Required<Pick<Source, 'kind' | keyof ChannelSettings | 'sealed_reply_secret'>>;

/** A signing secret that was rotated. Times are milliseconds since the Unix epoch. */
export interface PreviousSecret {
  /** Encrypted, as `Source.sealed_secret`. */
  readonly sealed_secret: string;
  /**
   * The rotation that replaced it. If it differs from `Source.secret_rotated_at`, ignore this secret: an older version
   * that doesn't store previous secrets has rotated since.
   */
  readonly replaced_at: number;
  /**
   * Requests signed with it are accepted until then. Null: they get 401, and the secret is only recognised for the
   * log.
   */
  readonly accepted_until: number | null;
  /** When it may be deleted. */
  readonly forget_at: number;
}

/** A change of a source by an admin. */
export type SourceChange =
  | { readonly active: boolean }
  | {
      readonly sealed_secret: string;
      readonly secret_rotated_at: number;
      readonly previous_secret?: PreviousSecret | null;
    }
  | { readonly previous_secret: PreviousSecret | null }
  | (SourceSettings & ChannelSettings);

export interface SourceSettings {
  readonly name?: string;
  readonly body_storage?: BodyStorage;
  readonly rate_per_second?: number | null;
  readonly rate_burst?: number | null;
}

/** The settings that only a channel has. */
export interface ChannelSettings {
  readonly reply_url?: string | null;
  readonly makes_leads?: boolean;
}

/** Selects sources. Without a kind it selects all of them. */
export interface SourceQuery {
  readonly account_id?: string;
  readonly kind?: SourceKind;
}

export interface Sources {
  insertSource(source: Source): Promise<void>;
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
  /** Replaces the sealed texts and increments the version. Undefined if the stored texts differ from `from`. */
  resealSource(sourceId: string, sealed: Resealed): Promise<Source | undefined>;
}

/** The old and the new sealed text of a secret, and of the previous secret if there is one. */
export interface Resealed {
  readonly from: string;
  readonly to: string;
  readonly previous?: { readonly from: string; readonly to: string };
  /** The secret of a channel's replies. */
  readonly reply?: { readonly from: string; readonly to: string };
}

interface SourceDocument
  extends Omit<Source, 'source_id' | 'body_storage' | 'created_at' | 'secret_rotated_at' | 'previous_secret'>,
    StoredBodyStorage {
  readonly _id: string;
  readonly schema_version: number;
  readonly created_at: Date;
  readonly secret_rotated_at: Date | null;
  /** Absent or null if there is none. */
  readonly previous_secret?: StoredPrevious | null;
}

interface StoredPrevious {
  readonly sealed_secret: string;
  readonly replaced_at: Date;
  readonly accepted_until: Date | null;
  readonly forget_at: Date;
}

const previousSchema = new Schema<StoredPrevious>(
  {
    sealed_secret: { type: String, required: true },
    replaced_at: { type: Date, required: true },
    accepted_until: { type: Date, default: null },
    forget_at: { type: Date, required: true },
  },
  { _id: false, strict: 'throw' },
);

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
      previous_secret: { type: previousSchema },
      kind: { type: String, enum: ['channel'] },
      reply_url: { type: String },
      sealed_reply_secret: { type: String },
      makes_leads: { type: Boolean },
    },
    { versionKey: false, strict: 'throw' },
  )
    .index({ account_id: 1, created_at: 1 })
    .index({ created_at: 1 })
    .index(
      { 'previous_secret.forget_at': 1 },
      { partialFilterExpression: { 'previous_secret.forget_at': { $type: 'date' } } },
    );
}

export function createSources(connection: Connection): Sources {
  const model = connection.model<SourceDocument>('Source', sourceSchema(), 'sources');
  return {
    async insertSource({ source_id, body_storage, created_at, secret_rotated_at, previous_secret, ...rest }) {
      const dates = { created_at: new Date(created_at), secret_rotated_at: dateOrNull(secret_rotated_at) };
      const previous = previous_secret === null ? {} : { previous_secret: toStored(previous_secret) };
      const stored = storedBodyStorage(body_storage);
      await model.create({ _id: source_id, ...rest, ...stored, ...dates, ...previous });
    },
    async findSource(sourceId) {
      const document = await model.findById(sourceId).lean();
      return document === null ? undefined : fromDocument(document);
    },
    async existingSources(sourceIds) {
      const found = await model.find({ _id: { $in: [...sourceIds] } }, { _id: 1 }).lean();
      return new Set(found.map(({ _id }) => _id));
    },
    async listSources({ kind, ...query } = {}) {
      return (
        await model
          .find({ ...query, ...kindFilter(kind) })
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
    async resealSource(sourceId, { from, to, previous, reply }) {
      const texts = (end: 'from' | 'to') => ({
        ...(previous && { 'previous_secret.sealed_secret': previous[end] }),
        ...(reply && { sealed_reply_secret: reply[end] }),
      });
      const $set = { sealed_secret: to, ...texts('to') };
      const found = { _id: sourceId, sealed_secret: from, ...texts('from') };
      const options = { ...ADMIN_WRITE, returnDocument: 'after' } as const;
      const document = await model.findOneAndUpdate(found, { $set, $inc: { version: 1 } }, options).lean();
      return document === null ? undefined : fromDocument(document);
    },
    async changeSource(sourceId, change, version) {
      const update = { ...(change !== undefined && { $set: fieldsOf(change) }), $inc: { version: 1 } };
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

function fieldsOf(change: SourceChange) {
  if ('body_storage' in change && change.body_storage !== undefined)
    return { ...change, ...storedBodyStorage(change.body_storage) };
  return {
    ...change,
    ...('secret_rotated_at' in change && { secret_rotated_at: new Date(change.secret_rotated_at) }),
    ...('previous_secret' in change && {
      previous_secret: change.previous_secret ? toStored(change.previous_secret) : null,
    }),
  };
}

function toStored({ sealed_secret, replaced_at, accepted_until, forget_at }: PreviousSecret): StoredPrevious {
  const dates = { replaced_at: new Date(replaced_at), forget_at: new Date(forget_at) };
  return { sealed_secret, ...dates, accepted_until: dateOrNull(accepted_until) };
}

function fromStored({
  sealed_secret,
  replaced_at,
  accepted_until,
  forget_at,
}: StoredPrevious): PreviousSecret {
  const times = { replaced_at: replaced_at.getTime(), forget_at: forget_at.getTime() };
  return { sealed_secret, ...times, accepted_until: accepted_until?.getTime() ?? null };
}

function dateOrNull(epochMs: number | null): Date | null {
  return epochMs === null ? null : new Date(epochMs);
}

function fromDocument({
  _id,
  created_at,
  secret_rotated_at,
  previous_secret,
  ...rest
}: SourceDocument): Source {
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
    previous_secret: previous_secret ? fromStored(previous_secret) : null,
    ...(rest.kind === 'channel' && channelFields(rest)),
  };
}

function channelFields({ reply_url, sealed_reply_secret, makes_leads }: Partial<SourceDocument>) {
  return {
    kind: 'channel' as const,
    reply_url: reply_url ?? null,
    makes_leads: makes_leads ?? false,
    ...(sealed_reply_secret !== undefined && { sealed_reply_secret }),
  };
}
