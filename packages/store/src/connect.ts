import type { OverflowStore } from '@sluice/contract/subscription/mailbox-overflow';
import { type Accounts, createAccounts } from './accounts/accounts.ts';
import { type ApiKeys, createApiKeys } from './accounts/api-keys.ts';
import { createLinks, type Links } from './accounts/links.ts';
import { createMemberships, type Memberships } from './accounts/memberships.ts';
import { type AuditLog, createAuditLog } from './audit/audit-log.ts';
import { serverTime } from './changed-since.ts';
import { connectedDb } from './connection/connected-db.ts';
import { type ConnectionSettings, openConnection } from './connection/connection.ts';
import { type ConversationLinks, createConversationLinks } from './conversations/conversation-links.ts';
import {
  type ConversationMessages,
  createConversationMessages,
} from './conversations/conversation-messages.ts';
import { type Conversations, createConversations } from './conversations/conversations.ts';
import {
  createDeletedConversations,
  type DeletedConversations,
} from './conversations/deleted-conversations.ts';
import { createDeliveries, type Deliveries } from './deliveries/deliveries.ts';
import { createDeliverySearch, type DeliverySearch } from './deliveries/delivery-search.ts';
import { logTtl } from './deliveries/log-ttl.ts';
import { createSecretUse, type SecretUse } from './deliveries/secret-use.ts';
import { createErasedTraces, type ErasedTraces } from './erasure/erased-traces.ts';
import { createLeadErasure, type LeadErasure } from './erasure/lead-erasure.ts';
import { createEventSearch, type EventSearch } from './events/event-search.ts';
import { createEvents, type Events } from './events/events.ts';
import { createIdempotency, type Idempotency } from './idempotency.ts';
import { createImportTurns, type ImportTurns } from './imports/import-turns.ts';
import { createImportedUids, type ImportedUids } from './imports/imported-uids.ts';
import { createImports, type Imports } from './imports/imports.ts';
import { createLeadImports, type LeadImports } from './imports/lead-imports.ts';
import { createLeadHistory, type LeadHistory } from './leads/lead-history.ts';
import { createLeadSearch, type LeadSearch } from './leads/lead-search.ts';
import { createLeadSettings, type LeadSettingsStore } from './leads/lead-settings.ts';
import { createLeads, type Leads, registerLeads } from './leads/leads.ts';
import { createOutboundChanges, type OutboundChanges } from './outbound/outbound-changes.ts';
import { createWebhookMessages, type WebhookMessages } from './outbound/webhook-messages.ts';
import { createWebhookOverflow } from './outbound/webhook-overflow.ts';
import { createPending, type Pending } from './pending/pending.ts';
import { createRecordAccount, type RecordAccount } from './record-account.ts';
import { type EnsureIndexesOptions, ensureIndexes, missingIndexes } from './schema/ensure-indexes.ts';
import { type MigrateOptions, migrate } from './schema/migrate.ts';
import { MIGRATIONS } from './schema/migrations.ts';
import { proveWrites, readSchemaFit, type SchemaFit } from './schema/schema-version.ts';
import { createDeletedSources, type DeletedSources } from './sources/deleted-sources.ts';
import { createSourceRefusals, type SourceRefusals } from './sources/source-refusals.ts';
import { createSources, type Sources } from './sources/sources.ts';
import {
  createRefusedSubscriptions,
  type RefusedSubscriptions,
} from './subscriptions/refused-subscriptions.ts';
import { createSubscriptions, type Subscriptions } from './subscriptions/subscriptions.ts';
import { createSessions, type Sessions } from './users/sessions.ts';
import { createTwoFactors, type TwoFactors } from './users/two-factors.ts';
import { createUserTokens, type UserTokens } from './users/user-tokens.ts';
import { createUsers, type Users } from './users/users.ts';

export interface StoreSettings extends ConnectionSettings {
  /** DELIVERY_RETENTION_DAYS: how long the delivery log is kept. Default: 30. */
  readonly deliveryRetentionDays?: number;
}

/** All data in MongoDB. Every operation throws while MongoDB is unavailable, and waits at most 20 s. */
export interface Store {
  readonly accounts: Accounts;
  readonly sources: Sources;
  readonly deletedConversations: DeletedConversations;
  readonly deletedSources: DeletedSources;
  readonly apiKeys: ApiKeys;
  readonly events: Events;
  readonly eventSearch: EventSearch;
  readonly deliveries: Deliveries;
  readonly deliverySearch: DeliverySearch;
  readonly secretUse: SecretUse;
  readonly users: Users;
  readonly memberships: Memberships;
  readonly sessions: Sessions;
  readonly links: Links;
  readonly userTokens: UserTokens;
  readonly twoFactors: TwoFactors;
  readonly imports: Imports;
  readonly importedUids: ImportedUids;
  readonly importTurns: ImportTurns;
  readonly idempotency: Idempotency;
  readonly auditLog: AuditLog;
  readonly leadImports: LeadImports;
  readonly leads: Leads;
  readonly leadErasure: LeadErasure;
  readonly leadSearch: LeadSearch;
  readonly leadHistory: LeadHistory;
  readonly leadSettings: LeadSettingsStore;
  readonly conversations: Conversations;
  readonly conversationLinks: ConversationLinks;
  readonly conversationMessages: ConversationMessages;
  readonly untold: Pending;
  readonly outboundChanges: OutboundChanges;
  readonly webhookMessages: WebhookMessages;
  readonly webhookOverflow: OverflowStore;
  readonly sourceRefusals: SourceRefusals;
  readonly erasedTraces: ErasedTraces;
  readonly subscriptions: Subscriptions;
  readonly refusedSubscriptions: RefusedSubscriptions;
  readonly recordAccount: RecordAccount;
  /** Resolves once connected. Rejects if the first attempt fails; further attempts continue in the background. */
  opened(): Promise<void>;
  /** MongoDB's clock. Every change of SETTLED_MS before (changed-since.ts) is in the lists. Milliseconds since the Unix epoch. */
  serverTime(): Promise<number>;
  /** Throws unless MongoDB responds. */
  ping(): Promise<void>;
  /** Compares the database's schema version with this version of Sluice. */
  schema(): Promise<SchemaFit>;
  /** Migrates the database to this version of Sluice, or waits until another process has. Idempotent. */
  migrate(options?: MigrateOptions): Promise<SchemaFit>;
  /** Creates the indexes, and sets the delivery log's TTL index to the configured retention. Idempotent. */
  ensureIndexes(options?: EnsureIndexesOptions): Promise<void>;
  /** Writes one document and deletes it. Rejects if MongoDB takes no writes. */
  proveWrites(): Promise<void>;
  /** The indexes of the models that the database lacks, as `collection.index`. */
  missingIndexes(): Promise<readonly string[]>;
  close(): Promise<void>;
}

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
export function connectStore({ deliveryRetentionDays, ...settings }: StoreSettings): Store {
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
    webhookOverflow: createWebhookOverflow(connection),
    sourceRefusals: createSourceRefusals(connection),
    erasedTraces: createErasedTraces(connection),
    subscriptions: createSubscriptions(connection),
    refusedSubscriptions: createRefusedSubscriptions(connection),
    recordAccount: createRecordAccount(connection),
    opened,
    serverTime: async () => serverTime(db()),
    ping: async () => {
      await db().command({ ping: 1 });
    },
    schema: async () => readSchemaFit(db(), MIGRATIONS.length),
    migrate: async (options) => migrate(db(), options),
    ensureIndexes: (options) => ensureIndexes(connection, options),
    proveWrites: () => proveWrites(db()),
    missingIndexes: () => missingIndexes(connection),
    close,
  };
}
