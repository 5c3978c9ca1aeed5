import type { OverflowStore } from '@sluice/contract/mailbox-overflow';
import { type Accounts, createAccounts } from './accounts.ts';
import { type ApiKeys, createApiKeys } from './api-keys.ts';
import { type AuditLog, createAuditLog } from './audit-log.ts';
import { connectedDb } from './connected-db.ts';
import { type ConnectionSettings, openConnection } from './connection.ts';
import { type ConversationLinks, createConversationLinks } from './conversation-links.ts';
import { type ConversationMessages, createConversationMessages } from './conversation-messages.ts';
import { type Conversations, createConversations } from './conversations.ts';
import { createDeletedConversations, type DeletedConversations } from './deleted-conversations.ts';
import { createDeletedSources, type DeletedSources } from './deleted-sources.ts';
import { createDeliveries, type Deliveries } from './deliveries.ts';
import { createDeliverySearch, type DeliverySearch } from './delivery-search.ts';
import { type EnsureIndexesOptions, ensureIndexes } from './ensure-indexes.ts';
import { createErasedTraces, type ErasedTraces } from './erased-traces.ts';
import { createEventSearch, type EventSearch } from './event-search.ts';
import { createEvents, type Events } from './events.ts';
import { createIdempotency, type Idempotency } from './idempotency.ts';
import { createImportedUids, type ImportedUids } from './imported-uids.ts';
import { createImports, type Imports } from './imports.ts';
import { createLeadErasure, type LeadErasure } from './lead-erasure.ts';
import { createLeadHistory, type LeadHistory } from './lead-history.ts';
import { createLeadImports, type LeadImports } from './lead-imports.ts';
import { createLeadSearch, type LeadSearch } from './lead-search.ts';
import { createLeadSegments, type LeadSegments } from './lead-segments.ts';
import { createLeadSettings, type LeadSettingsStore } from './lead-settings.ts';
import { createLeads, type Leads, registerLeads } from './leads.ts';
import { createLinks, type Links } from './links.ts';
import { logTtl } from './log-ttl.ts';
import { createMemberships, type Memberships } from './memberships.ts';
import { type MigrateOptions, migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';
import { createOutboundChanges, type OutboundChanges } from './outbound-changes.ts';
import { createRecordAccount, type RecordAccount } from './record-account.ts';
import { createRefusedSubscriptions, type RefusedSubscriptions } from './refused-subscriptions.ts';
import { readSchemaFit, type SchemaFit } from './schema-version.ts';
import { createSecretUse, type SecretUse } from './secret-use.ts';
import { createServerKind } from './server-kind.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createSourceRefusals, type SourceRefusals } from './source-refusals.ts';
import { createSources, type Sources } from './sources.ts';
import { createSubscriptions, type Subscriptions } from './subscriptions.ts';
import { createTwoFactors, type TwoFactors } from './two-factors.ts';
import { createUntold, type Untold } from './untold.ts';
import { createUserTokens, type UserTokens } from './user-tokens.ts';
import { createUsers, type Users } from './users.ts';
import { createWebhookMessages, type WebhookMessages } from './webhook-messages.ts';
import { createWebhookOverflow } from './webhook-overflow.ts';
import { withinSegments } from './within-segments.ts';

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
  readonly idempotency: Idempotency;
  readonly auditLog: AuditLog;
  readonly leadImports: LeadImports;
  readonly leads: Leads;
  readonly leadErasure: LeadErasure;
  readonly leadSearch: LeadSearch;
  readonly leadHistory: LeadHistory;
  readonly leadSegments: Omit<LeadSegments, 'stop'>;
  readonly leadSettings: LeadSettingsStore;
  readonly conversations: Conversations;
  readonly conversationLinks: ConversationLinks;
  readonly conversationMessages: ConversationMessages;
  readonly untold: Untold;
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
  /** Throws unless MongoDB responds. */
  ping(): Promise<void>;
  /** Compares the database's schema version with this version of Sluice. */
  schema(): Promise<SchemaFit>;
  /** Migrates the database to this version of Sluice, or waits until another process has. Idempotent. */
  migrate(options?: MigrateOptions): Promise<SchemaFit>;
  /** Creates the indexes, and sets the delivery log's TTL index to the configured retention. Idempotent. */
  ensureIndexes(options?: EnsureIndexesOptions): Promise<void>;
  close(): Promise<void>;
}

/** Connects in the background, and retries while MongoDB is unavailable at start. */
export function connectStore({ deliveryRetentionDays, ...settings }: StoreSettings): Store {
  const { connection, opened, close } = openConnection(settings);
  const ttl = logTtl(deliveryRetentionDays);
  const db = () => connectedDb(connection);
  const serverKind = createServerKind(db);
  registerLeads(connection);
  const leadSegments = createLeadSegments(connection);
  const listed = withinSegments(
    {
      conversations: createConversations(connection),
      conversationLinks: createConversationLinks(connection),
      conversationMessages: createConversationMessages(connection),
      deletedConversations: createDeletedConversations(connection),
      webhookMessages: createWebhookMessages(connection, ttl),
      sources: createSources(connection),
    },
    leadSegments,
  );
  return {
    ...listed,
    accounts: createAccounts(connection),
    deletedSources: createDeletedSources(connection),
    apiKeys: createApiKeys(connection),
    events: createEvents(connection, { serverKind, logger: settings.logger }),
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
    idempotency: createIdempotency(connection),
    auditLog: createAuditLog(connection),
    leadImports: createLeadImports(connection, ttl),
    leads: createLeads(connection, { segments: leadSegments }),
    leadErasure: createLeadErasure(connection),
    leadSearch: createLeadSearch(connection, { serverKind }),
    leadHistory: createLeadHistory(connection),
    leadSegments,
    leadSettings: createLeadSettings(connection),
    untold: createUntold(connection),
    outboundChanges: createOutboundChanges(connection),
    webhookOverflow: createWebhookOverflow(connection),
    sourceRefusals: createSourceRefusals(connection),
    erasedTraces: createErasedTraces(connection),
    subscriptions: createSubscriptions(connection),
    refusedSubscriptions: createRefusedSubscriptions(connection),
    recordAccount: createRecordAccount(connection),
    opened,
    ping: async () => {
      await db().command({ ping: 1 });
    },
    schema: async () => readSchemaFit(db(), MIGRATIONS.length),
    migrate: async (options) => migrate(db(), options),
    ensureIndexes: (options) => ensureIndexes(connection, options),
    async close() {
      await leadSegments.stop();
      await close();
    },
  };
}
