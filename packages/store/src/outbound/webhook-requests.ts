import type { Connection } from 'mongoose';
import { nativeSchema, registerCollection } from '../writing/native-collection.ts';
import { type DocumentOf, storedRecord } from '../writing/stored-record.ts';

/**
 * A test, or a message to send once more, that a person or program has asked for. A dispatcher attempts it before all messages of its subscription,
 * and removes it then. Times are milliseconds since the Unix epoch.
 */
export interface WebhookRequest {
  readonly request_id: string;
  readonly account_id: string;
  readonly subscription_id: string;
  readonly message_id: string;
  readonly change_id: string;
  readonly kind: string;
  readonly record_id: string;
  /** Of tests, whose text is nowhere else. */
  readonly text?: string;
  /** How often a connection to a busy host was asked for. */
  readonly attempts: number;
  /** 0 until it is tried again. */
  readonly not_before: number;
  readonly created_at: number;
  /** It is of no use from then on. */
  readonly expires_at: number;
}

const REQUEST = storedRecord<WebhookRequest>()('request_id', ['expires_at']);

export interface WebhookRequests {
  addRequest(request: WebhookRequest): Promise<void>;
  /** Those of subscriptions that are of use at `now`, by `not_before`, then oldest first. Fewer than `limit`: these are all. */
  findRequests(
    subscriptionIds: readonly string[],
    page: { readonly now: number; readonly limit: number },
  ): Promise<readonly WebhookRequest[]>;
  /** Stores how often it was tried and when it is tried next. One that was removed stays so. */
  postponeRequest(request: Pick<WebhookRequest, 'request_id' | 'attempts' | 'not_before'>): Promise<void>;
  removeRequests(requestIds: readonly string[]): Promise<void>;
}

export function createWebhookRequests(connection: Connection): WebhookRequests {
  const schema = nativeSchema<DocumentOf<typeof REQUEST>>()
    .index({ subscription_id: 1, not_before: 1, created_at: 1 })
    .index({ expires_at: 1 }, { expireAfterSeconds: 0 });
  const collection = registerCollection(connection, 'WebhookRequest', schema, 'webhook_requests');
  return {
    async addRequest(request) {
      await collection.insertOne(REQUEST.toDocument(request));
    },
    async findRequests(ids, { now, limit }) {
      if (ids.length === 0) return [];
      const wanted = { subscription_id: { $in: [...ids] }, expires_at: { $gt: new Date(now) } };
      const found = collection.find(wanted).sort({ not_before: 1, created_at: 1 }).limit(limit);
      return (await found.toArray()).map(REQUEST.fromDocument);
    },
    async postponeRequest({ request_id: _id, attempts, not_before }) {
      await collection.updateOne({ _id }, { $set: { attempts, not_before } });
    },
    async removeRequests(ids) {
      if (ids.length > 0) await collection.deleteMany({ _id: { $in: [...ids] } });
    },
  };
}
