import type { ApplyDeps } from '@sluice/conversations/apply-conversations';
import type { DeliveryLog } from '../delivery-log/delivery-log-port.ts';
import type { EventStore } from '../event-store.ts';
import type { WaitOut } from './wait-out.ts';

/** Wraps idempotent operations, so that they wait for MongoDB while it is unavailable instead of failing. */
export function patientEvents(events: EventStore, waitOut: WaitOut): EventStore {
  return {
    loadPortion: (ids) => waitOut.run(() => events.loadPortion(ids)),
    writeEvents: (writes) => waitOut.run(() => events.writeEvents(writes)),
  };
}

/** Wraps idempotent operations, so that they wait for MongoDB while it is unavailable instead of failing. */
export function patientLog(log: DeliveryLog, waitOut: WaitOut): DeliveryLog {
  return {
    insertDeliveries: (rows) => waitOut.run(() => log.insertDeliveries(rows)),
    replaceDelivery: (row) => waitOut.run(() => log.replaceDelivery(row)),
  };
}

type StoredDeps = Pick<ApplyDeps, 'conversations' | 'conversationMessages' | 'auditLog'>;

/** Wraps idempotent operations, so that they wait for MongoDB while it is unavailable instead of failing. */
export function patientConversations(
  { conversations, conversationMessages, auditLog }: StoredDeps,
  waitOut: WaitOut,
): StoredDeps {
  return {
    auditLog: { insertEntries: (entries) => waitOut.run(() => auditLog.insertEntries(entries)) },
    conversations: {
      loadConversations: (ids) => waitOut.run(() => conversations.loadConversations(ids)),
      writeConversation: (one, changes) => waitOut.run(() => conversations.writeConversation(one, changes)),
    },
    conversationMessages: {
      loadMessages: (ids) => waitOut.run(() => conversationMessages.loadMessages(ids)),
      writeMessages: (writes) => waitOut.run(() => conversationMessages.writeMessages(writes)),
    },
  };
}
