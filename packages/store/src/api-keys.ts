import type { Scope } from '@sluice/contract/scopes';
import { type Connection, Schema } from 'mongoose';
import { ADMIN_WRITE } from './admin-write.ts';
import { nativeCollection } from './native-collection.ts';

/** An API key as it is kept: its hash, never the key itself. Times are milliseconds since the Unix epoch. */
export interface ApiKey {
  readonly key_id: string;
  readonly account_id: string;
  readonly name: string;
  readonly prefix: string;
  /** SHA-256 of the whole key, in hex. */
  readonly hash: string;
  readonly scopes: readonly Scope[];
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
}

export interface ApiKeys {
  insertApiKey(key: ApiKey): Promise<void>;
  findApiKeyByHash(hash: string): Promise<ApiKey | undefined>;
  /** Oldest first; of one account, or of all; revoked ones too. */
  listApiKeys(query?: { readonly account_id?: string }): Promise<readonly ApiKey[]>;
  /** Revokes for good. One that was revoked before keeps its time; undefined where there is no such key. */
  revokeApiKey(keyId: string, at: number): Promise<ApiKey | undefined>;
  findApiKey(keyId: string): Promise<ApiKey | undefined>;
  /** Notes the last use (milliseconds since the Unix epoch) of many keys in one round trip; a later one that stands stays. */
  noteUses(uses: ReadonlyMap<string, number>): Promise<void>;
}

interface ApiKeyDocument {
  _id: string;
  schema_version: number;
  account_id: string;
  name: string;
  prefix: string;
  hash: string;
  scopes: Scope[];
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

function apiKeySchema() {
  return new Schema<ApiKeyDocument>(
    {
      _id: { type: String, required: true },
      schema_version: { type: Number, required: true, default: 1 },
      account_id: { type: String, required: true },
      name: { type: String, required: true },
      prefix: { type: String, required: true },
      hash: { type: String, required: true },
      scopes: { type: [String], required: true },
      created_at: { type: Date, required: true },
      expires_at: { type: Date, default: null },
      revoked_at: { type: Date, default: null },
      last_used_at: { type: Date, default: null },
    },
    { versionKey: false, strict: 'throw' },
  )
    .index({ hash: 1 }, { unique: true })
    .index({ account_id: 1, created_at: 1 })
    .index({ created_at: 1 });
}

export function createApiKeys(connection: Connection): ApiKeys {
  const model = connection.model<ApiKeyDocument>('ApiKey', apiKeySchema(), 'api_keys');
  return {
    async insertApiKey(key) {
      await model.create(toDocument(key));
    },
    async findApiKeyByHash(hash) {
      const document = await model.findOne({ hash }).lean();
      return document === null ? undefined : fromDocument(document);
    },
    async findApiKey(keyId) {
      const document = await model.findById(keyId).lean();
      return document === null ? undefined : fromDocument(document);
    },
    async noteUses(uses) {
      const updates = [...uses].map(([_id, at]) => ({
        updateOne: { filter: { _id }, update: { $max: { last_used_at: new Date(at) } } },
      }));
      if (updates.length > 0) await nativeCollection(model).bulkWrite(updates, { ordered: false });
    },
    async listApiKeys(query = {}) {
      return (await model.find(query).sort({ created_at: 1 }).lean()).map(fromDocument);
    },
    async revokeApiKey(keyId, at) {
      const options = { ...ADMIN_WRITE, returnDocument: 'after' } as const;
      const live = { _id: keyId, revoked_at: null };
      const revoked = await model
        .findOneAndUpdate(live, { $set: { revoked_at: new Date(at) } }, options)
        .lean();
      const document = revoked ?? (await model.findById(keyId).lean());
      return document === null ? undefined : fromDocument(document);
    },
  };
}

function toDocument({ key_id, scopes, ...rest }: ApiKey) {
  return {
    ...rest,
    _id: key_id,
    scopes: [...scopes],
    created_at: new Date(rest.created_at),
    expires_at: dateOrNull(rest.expires_at),
    revoked_at: dateOrNull(rest.revoked_at),
    last_used_at: dateOrNull(rest.last_used_at),
  };
}

function dateOrNull(epochMs: number | null): Date | null {
  return epochMs === null ? null : new Date(epochMs);
}

function fromDocument({ _id, schema_version: _, ...document }: ApiKeyDocument): ApiKey {
  return {
    key_id: _id,
    ...document,
    created_at: document.created_at.getTime(),
    expires_at: document.expires_at?.getTime() ?? null,
    revoked_at: document.revoked_at?.getTime() ?? null,
    last_used_at: document.last_used_at?.getTime() ?? null,
  };
}
