import type { Delivery } from '@sluice/contract/delivery/delivery';
import type { EventIdentity } from '@sluice/contract/event/event-fields';
import { eventId } from '@sluice/contract/event/event-id';
import type { EventState } from '@sluice/contract/event/event-state';
import { newId } from '@sluice/credentials/ids';
import { connectStore, type Store, type StoreSettings } from '@sluice/store/connect';
import type { ConversationMessage } from '@sluice/store/conversations/conversation-document';
import type { EventWrite, StoredEvent } from '@sluice/store/events/event-document';
import type { Lead } from '@sluice/store/leads/lead-document';
import type { AttemptRow } from '@sluice/store/outbound/webhook-message';
import type { mongo } from 'mongoose';
import { openTestMongo, type TestMongo } from '../support/mongo-server.ts';
import { use } from '../support/use.ts';

/** A store with its indexes on a separate database, for the tests of a describe block. */
export function useStore(settings: Partial<StoreSettings> = {}): { store: Store; mongo: TestMongo } {
  const start = async () => {
    const mongo = await openTestMongo('store');
    const store = connectStore({ url: mongo.url, namespace: 'unused', ...settings });
    await store.opened();
    await store.ensureIndexes();
    return { store, mongo };
  };
  return use(start, async ({ store, mongo }) => {
    await store.close();
    await mongo.close();
  });
}

/** A sequence number of late 2026: microseconds, above 32 bits and below 2^53. */
export const SEQUENCE = 1_795_250_000_000_001;

export const upserted = (sequence: number): EventState => ({
  content: { sequence, value: { description: 'A look', ends_at: 1_796_155_200_000 } },
  status: { sequence, value: 'upcoming' },
  deleted: null,
  created: sequence,
});

export function storedEvent(
  identity: Partial<EventIdentity> = {},
  rest: Partial<StoredEvent> = {},
): StoredEvent {
  const whole = { title: 'Open day', starts_at: 1_796_144_400_000, location: 'Berlin', ...identity };
  const source_id = rest.source_id ?? 'src_1';
  const common = { account_id: 'acc_1', state: upserted(SEQUENCE), revision: 0, recent: '' };
  return { event_id: eventId(source_id, whole), source_id, identity: whole, ...common, ...rest };
}

export function firstWrite(event: StoredEvent, rest: Partial<EventWrite> = {}): EventWrite {
  const { expectedRevision = 0 } = rest;
  return { event, expectedRevision, newRevision: expectedRevision + 1, expiresAt: null, ...rest };
}

export function delivery(rest: Partial<Delivery> = {}): Delivery {
  return {
    delivery_id: 'dlv_1',
    source_id: 'src_1',
    account_id: 'acc_1',
    received_at: 1_795_250_000_000,
    action: 'upsert',
    title: 'Open day',
    http_status: 200,
    outcome: 'created',
    code: null,
    request_id: 'req_1',
    sequence: SEQUENCE,
    event_id: 'evt_1',
    duplicate_of: null,
    reason: null,
    count: 1,
    ...rest,
  };
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** A message of a visitor. */
export const storedMessage = (
  conversation_id: string,
  number: number,
  more: Partial<ConversationMessage> = {},
): ConversationMessage => ({
  ...{ message_id: newId('cmsg'), conversation_id, account_id: 'acc_1', external_id: `m-${number}` },
  ...{ author: 'visitor', author_name: null, text: `Message ${number}` },
  ...{ sent_at: 1000 + number, sent_at_known: true, sequence: number, first_sequence: number },
  ...{ delivery: null, delivery_reason: null, ...more },
});

/** A failed attempt. */
export const attemptRow = (
  subscription_id: string,
  number: number,
  more: Partial<AttemptRow> = {},
): AttemptRow => ({
  ...{ message_id: newId('sub'), account_id: 'acc_1', subscription_id, change_id: `change_${number}` },
  ...{ kind: 'lead.updated', record_id: 'lead_1', status: 'pending', next_attempt_at: null },
  ...{ created_at: 1000 + number, ...more },
  attempt: {
    ...{ id: `a${number}`, at: 2000, duration_ms: 5, code: 'server_error', status: 500 },
    ...{ sentence: 'It answered 500.', response: 'about Ada', redelivery: false },
  },
});

/** The plan of a query, or undefined: some engines have no planner. */
export async function explained(
  cursor: mongo.FindCursor,
  verbosity: 'queryPlanner' | 'executionStats' = 'queryPlanner',
): Promise<mongo.Document | undefined> {
  const COMMAND_NOT_FOUND = 59;
  return cursor.explain(verbosity).catch((error: mongo.MongoServerError) => {
    if (error.code !== COMMAND_NOT_FOUND) throw error;
    return undefined;
  });
}

/** A lead that was written in the first millisecond of 1970. */
export const storedLead = (fields: Partial<Lead> = {}): Lead => ({
  lead_id: newId('lead'),
  account_id: 'acc_1',
  name: 'Ada',
  tags: [],
  fields: new Map(),
  stage: 'stg_new',
  origin: 'api',
  conversation_id: null,
  claims: [],
  untold: [],
  created_at: 1,
  updated_at: 1,
  stage_changed_at: 1,
  revision: 1,
  sequence: 1000,
  ...fields,
});
