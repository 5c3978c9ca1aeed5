import type { Connection } from 'mongoose';
import { createAccounts } from './accounts/accounts.ts';
import { createApiKeys } from './accounts/api-keys.ts';
import { createLinks } from './accounts/links.ts';
import { createMemberships } from './accounts/memberships.ts';
import { createAuditLog } from './audit/audit-log.ts';
import { serverTime } from './changed-since.ts';
import { connectedDb } from './connection/connected-db.ts';
import { type ConnectionSettings, openConnection } from './connection/connection.ts';
import { createConversationLinks } from './conversations/conversation-links.ts';
import { createConversationMessages } from './conversations/conversation-messages.ts';
import { createConversations } from './conversations/conversations.ts';
import { createDeletedConversations } from './conversations/deleted-conversations.ts';
import { createDeliveries } from './deliveries/deliveries.ts';
import { createDeliverySearch } from './deliveries/delivery-search.ts';
import { logTtl } from './deliveries/log-ttl.ts';
import { createSecretUse } from './deliveries/secret-use.ts';
import { createErasedTraces } from './erasure/erased-traces.ts';
import { createLeadErasure } from './erasure/lead-erasure.ts';
import { createEventSearch } from './events/event-search.ts';
import { createEvents } from './events/events.ts';
import { createIdempotency } from './idempotency.ts';
import { createImportTurns } from './imports/import-turns.ts';
import { createImportedUids } from './imports/imported-uids.ts';
import { createImports } from './imports/imports.ts';
import { createLeadImports } from './imports/lead-imports.ts';
import { createLeadHistory } from './leads/lead-history.ts';
import { createLeadSearch } from './leads/lead-search.ts';
import { createLeadSettings } from './leads/lead-settings.ts';
import { createLeads, registerLeads } from './leads/leads.ts';
import { createOldMailboxes } from './outbound/old-mailboxes.ts';
import { createOutboundChanges } from './outbound/outbound-changes.ts';
import { createWebhookCursors } from './outbound/webhook-cursors.ts';
import { createWebhookMessages } from './outbound/webhook-messages.ts';
import { createWebhookRequests } from './outbound/webhook-requests.ts';
import { createPending } from './pending/pending.ts';
import { type EnsureIndexesOptions, ensureIndexes, missingIndexes } from './schema/ensure-indexes.ts';
import { type MigrateOptions, migrate } from './schema/migrate.ts';
import { MIGRATIONS } from './schema/migrations.ts';
import { proveWrites, readSchemaFit } from './schema/schema-version.ts';
import { createDeletedSources } from './sources/deleted-sources.ts';
import { createSourceRefusals } from './sources/source-refusals.ts';
import { createSources } from './sources/sources.ts';
import { createRefusedSubscriptions } from './subscriptions/refused-subscriptions.ts';
import { createSubscriptions } from './subscriptions/subscriptions.ts';
import { createSessions } from './users/sessions.ts';
import { createTwoFactors } from './users/two-factors.ts';
import { createUserTokens } from './users/user-tokens.ts';
import { createUsers } from './users/users.ts';

export interface StoreSettings extends ConnectionSettings {
  /** DELIVERY_RETENTION_DAYS: how long the delivery log is kept. Default: 30. */
  readonly deliveryRetentionDays?: number;
}

/** All data in MongoDB. Every operation throws while MongoDB is unavailable, and waits at most 20 s. */
export type Store = ReturnType<typeof connectStore>;

/** Operations that take the place of those of a store, by part. */
export type StoreOperations = { readonly [Part in keyof Store]?: Partial<Store[Part]> };

/** A store with other operations in the places of these. All that is not named stays. */
export function withOperations(store: Store, operations: StoreOperations): Store {
  const before = store as unknown as Readonly<Record<string, object>>;
  const parts = Object.entries(operations).map(([part, replaced]) => [
    part,
    { ...before[part], ...replaced },
  ]);
  return { ...store, ...Object.fromEntries(parts) };
}

/** Connects in the background, and retries while MongoDB is unavailable at start. */
export function connectStore({ deliveryRetentionDays, ...settings }: StoreSettings) {
  const { connection, opened, close } = openConnection(settings);
  const ttl = logTtl(deliveryRetentionDays);
  const db = () => connectedDb(connection);
  registerLeads(connection);
  return {
    accounts: createAccounts(connection),
    sources: createSources(connection),
    deletedSources: createDeletedSources(connection),
    apiKeys: createApiKeys(connection),
    events: createEvents(connection),
    eventSearch: createEventSearch(connection),
    deliveries: createDeliveries(connection, ttl),
    deliverySearch: createDeliverySearch(connection),
    secretUse: createSecretUse(connection),
    users: createUsers(connection),
    memberships: createMemberships(connection),
    sessions: createSessions(connection),
    links: createLinks(connection),
    userTokens: createUserTokens(connection),
    twoFactors: createTwoFactors(connection),
    imports: createImports(connection, ttl),
    importedUids: createImportedUids(connection),
    importTurns: createImportTurns(connection),
    idempotency: createIdempotency(connection),
    auditLog: createAuditLog(connection),
    leadImports: createLeadImports(connection, ttl),
    leads: createLeads(connection),
    leadErasure: createLeadErasure(connection),
    leadSearch: createLeadSearch(connection),
    leadHistory: createLeadHistory(connection),
    leadSettings: createLeadSettings(connection),
    conversations: createConversations(connection),
    conversationLinks: createConversationLinks(connection),
    conversationMessages: createConversationMessages(connection),
    deletedConversations: createDeletedConversations(connection),
    untold: createPending(connection),
    outboundChanges: createOutboundChanges(connection),
    webhookMessages: createWebhookMessages(connection, ttl),
    webhookCursors: createWebhookCursors(connection),
    oldMailboxes: createOldMailboxes(connection),
    webhookRequests: createWebhookRequests(connection),
    sourceRefusals: createSourceRefusals(connection),
    erasedTraces: createErasedTraces(connection),
    subscriptions: createSubscriptions(connection),
    refusedSubscriptions: createRefusedSubscriptions(connection),
    recordAccount: createRecordAccount(connection),
    /** Resolves once connected. Rejects if the first attempt fails; further attempts continue in the background. */
    opened,
    /** MongoDB's clock. Every change of SETTLED_MS before (changed-since.ts) is in the lists. Milliseconds since the Unix epoch. */
    serverTime: async () => serverTime(db()),
    /** Throws unless MongoDB responds. */
    ping: async () => {
      await db().command({ ping: 1 });
    },
    /** Compares the database's schema version with this version of Sluice. */
    schema: async () => readSchemaFit(db(), MIGRATIONS.length),
    /** Migrates the database to this version of Sluice, or waits until another process has. Idempotent. */
    migrate: async (options?: MigrateOptions) => migrate(db(), options),
    /** Creates the indexes, and sets the delivery log's TTL index to the configured retention. Idempotent. */
    ensureIndexes: (options?: EnsureIndexesOptions) => ensureIndexes(connection, options),
    /** Writes one document and deletes it. Rejects if MongoDB takes no writes. */
    proveWrites: async () => proveWrites(db()),
    /** The indexes of the models that the database lacks, as `collection.index`. */
    missingIndexes: () => missingIndexes(connection),
    close,
  };
}

/** Collections whose records are read by account and id. */
export type AccountCollection = 'leads' | 'conversations' | 'webhook_subscriptions';

export interface RecordAccount {
  /** The account of a record. Undefined if there is no such record. For admins of the installation only. */
  findAccountOf(collection: AccountCollection, id: string): Promise<string | undefined>;
}

function createRecordAccount(connection: Connection): RecordAccount {
  return {
    async findAccountOf(collection, id) {
      const found = await connectedDb(connection)
        .collection<{ readonly _id: string; readonly account_id: string }>(collection)
        .findOne({ _id: id }, { projection: { account_id: 1 } });
      return found?.account_id;
    },
  };
}
