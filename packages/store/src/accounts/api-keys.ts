import type { Scope } from '@sluice/contract/account/scopes';
import type { Connection } from 'mongoose';
import { ADMIN_WRITE } from '../writing/admin-write.ts';
import { nativeSchema, registerCollection } from '../writing/native-collection.ts';
import { type DocumentOf, storedRecord } from '../writing/stored-record.ts';

/** The origin and the target of a request. */
export interface UsePlace {
  readonly address: string;
  /** The declared route, such as `GET /api/public/automation/me`. */
  readonly route: string;
  /** The User-Agent of the request. Absent if it had none. */
  readonly client?: string;
}

/** One use of an API key; `at` is milliseconds since the Unix epoch. */
export interface KeyUse extends UsePlace {
  readonly at: number;
}

/** A stored API key: its hash, never the key. Times are milliseconds since the Unix epoch. */
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
  /** Place of the last use; null if it was never used. */
  readonly last_used_from: UsePlace | null;
  /** The key that replaces it. Both work during the overlap of the rotation. It is the newest one if that was rotated too. */
  readonly replaced_by?: string;
  /** The key that a rotation made it to replace. It is stored before the end of that one, so an interrupted rotation can be completed. */
  readonly replaces?: string;
}

/** The end of a key. */
export interface KeyEnd {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** Revokes it, instead of letting it expire. */
  readonly revoke: boolean;
  /** The key that replaces it. */
  readonly replacedBy: string;
}

export interface ApiKeyQuery {
  readonly account_id?: string;
  /** Leaves out keys revoked before this time (milliseconds since the Unix epoch). */
  readonly revoked_since?: number;
}

export interface ApiKeys {
  insertApiKey(key: ApiKey): Promise<void>;
  findApiKeyByHash(hash: string): Promise<ApiKey | undefined>;
  /** One for each hash, in one round trip. */
  findApiKeysByHash(hashes: readonly string[]): Promise<readonly (ApiKey | undefined)[]>;
  /** Oldest first, with revoked keys. Without a query: the keys of all accounts. */
  listApiKeys(query?: ApiKeyQuery): Promise<readonly ApiKey[]>;
  /** Revokes permanently. An already revoked key keeps its time. Undefined if the key doesn't exist. */
  revokeApiKey(keyId: string, at: number): Promise<ApiKey | undefined>;
  /** Lets a key end because another one replaces it, unless it ends earlier anyway. Undefined if the key doesn't exist. */
  endApiKey(keyId: string, end: KeyEnd): Promise<ApiKey | undefined>;
  /** Undefined if the key doesn't exist. */
  renameApiKey(keyId: string, name: string): Promise<ApiKey | undefined>;
  findApiKey(keyId: string): Promise<ApiKey | undefined>;
  /** Those of these keys that are revoked. */
  revokedAmong(keyIds: readonly string[]): Promise<readonly string[]>;
  /** Records the last use of many keys, by id, in one round trip. A later stored use is kept. */
  noteUses(uses: ReadonlyMap<string, KeyUse>): Promise<void>;
}

const API_KEY = storedRecord<ApiKey>()('key_id', ['created_at', 'expires_at', 'revoked_at', 'last_used_at']);

function apiKeySchema() {
  return nativeSchema<DocumentOf<typeof API_KEY>>()
    .index({ hash: 1 }, { unique: true })
    .index({ account_id: 1, created_at: 1 })
    .index({ created_at: 1 });
}

export function createApiKeys(connection: Connection): ApiKeys {
  const collection = registerCollection(connection, 'ApiKey', apiKeySchema(), 'api_keys');
  return {
    async insertApiKey(key) {
      await collection.insertOne(API_KEY.toDocument(key));
    },
    findApiKeyByHash: async (hash) => API_KEY.found(await collection.findOne({ hash })),
    async findApiKeysByHash(hashes) {
      const wanted = { hash: { $in: [...new Set(hashes)] } };
      const documents = await collection.find(wanted).toArray();
      const byHash = new Map(documents.map((document) => [document.hash, API_KEY.fromDocument(document)]));
      return hashes.map((hash) => byHash.get(hash));
    },
    findApiKey: async (keyId) => API_KEY.found(await collection.findOne({ _id: keyId })),
    async renameApiKey(keyId, name) {
      const options = { ...ADMIN_WRITE, returnDocument: 'after' } as const;
      return API_KEY.found(await collection.findOneAndUpdate({ _id: keyId }, { $set: { name } }, options));
    },
    async revokedAmong(keyIds) {
      const wanted = { _id: { $in: [...keyIds] }, revoked_at: { $ne: null } };
      const found = await collection.find(wanted, { projection: { _id: 1 } }).toArray();
      return found.map(({ _id }) => _id);
    },
    async noteUses(uses) {
      const updates = [...uses].map(([_id, { at, ...place }]) => {
        const last_used_at = new Date(at);
        return {
          updateOne: {
            filter: { _id, $or: [{ last_used_at: null }, { last_used_at: { $lt: last_used_at } }] },
            update: { $set: { last_used_at, last_used_from: place } },
          },
        };
      });
      if (updates.length > 0) await collection.bulkWrite(updates, { ordered: false });
    },
    async listApiKeys({ account_id, revoked_since } = {}) {
      const wanted = {
        ...(account_id !== undefined && { account_id }),
        ...(revoked_since !== undefined && {
          $or: [{ revoked_at: null }, { revoked_at: { $gte: new Date(revoked_since) } }],
        }),
      };
      return (await collection.find(wanted).sort({ created_at: 1 }).toArray()).map(API_KEY.fromDocument);
    },
    async endApiKey(keyId, { at, revoke, replacedBy: replaced_by }) {
      const end = new Date(at);
      const live = { _id: keyId, revoked_at: null };
      const later = { ...live, $or: [{ expires_at: null }, { expires_at: { $gt: end } }] };
      if (revoke) await collection.updateOne(live, { $set: { revoked_at: end, replaced_by } }, ADMIN_WRITE);
      else {
        const ended = { $set: { expires_at: end, replaced_by } };
        if ((await collection.updateOne(later, ended, ADMIN_WRITE)).matchedCount === 0)
          await collection.updateOne(live, { $set: { replaced_by } }, ADMIN_WRITE);
      }
      const document = await collection.findOne({ _id: keyId });
      if (document === null) return undefined;
      const replaced = { account_id: document.account_id, replaced_by: keyId };
      await collection.updateMany(replaced, { $set: { replaced_by } }, ADMIN_WRITE);
      return API_KEY.fromDocument(document);
    },
    async revokeApiKey(keyId, at) {
      const options = { ...ADMIN_WRITE, returnDocument: 'after' } as const;
      const live = { _id: keyId, revoked_at: null };
      const revoked = await collection.findOneAndUpdate(
        live,
        { $set: { revoked_at: new Date(at) } },
        options,
      );
      return API_KEY.found(revoked ?? (await collection.findOne({ _id: keyId })));
    },
  };
}
