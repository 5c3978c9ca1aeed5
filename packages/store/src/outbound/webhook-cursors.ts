import type { Connection, mongo } from 'mongoose';
import { nativeSchema, registerCollection } from '../writing/native-collection.ts';
import { DUPLICATE_KEY, refusedWrites } from '../writing/write-errors.ts';

/** How far a subscription has read the log of its account, and what is known of its receiver. */
export interface WebhookCursor {
  readonly subscription_id: string;
  /** The number of the turn that has written it. A turn of a lower number writes nothing. */
  readonly turn: number;
  /** The number of the last change that was read. */
  readonly number: number;
  /** Messages of changes up to this number may have a row, so rows are looked up before they are sent. */
  readonly seen: number;
  /** When the first of the messages that failed is due, in milliseconds since the Unix epoch; null without any. */
  readonly retry_at: number | null;
  /** JSON of the state of the receiver. */
  readonly state: string;
  /** The version of the subscription under which it was written. */
  readonly version: number;
  /** Changes up to this number are never sent, wherever the cursor is. Turns do not write it. */
  readonly passed?: number;
}

interface CursorDocument extends Omit<WebhookCursor, 'subscription_id'> {
  readonly _id: string;
  readonly schema_version: 1;
}

export interface WebhookCursors {
  findCursors(subscriptionIds: readonly string[]): Promise<ReadonlyMap<string, WebhookCursor>>;
  /** Stores cursors in one round trip. One that a later turn has written stays. */
  writeCursors(cursors: readonly WebhookCursor[]): Promise<void>;
  /** The subscription sends nothing up to this number any more. Turns learn of it when they are asked. */
  passUpTo(subscriptionId: string, number: number): Promise<void>;
}

export function createWebhookCursors(connection: Connection): WebhookCursors {
  const schema = nativeSchema<CursorDocument>();
  const collection = registerCollection(connection, 'WebhookCursor', schema, 'webhook_cursors');
  return {
    async findCursors(ids) {
      if (ids.length === 0) return new Map();
      const found = await collection.find({ _id: { $in: [...ids] } }).toArray();
      return new Map(
        found.map(({ _id, schema_version: _, ...rest }) => [_id, { subscription_id: _id, ...rest }]),
      );
    },
    async writeCursors(cursors) {
      const operations = cursors.map(
        ({ subscription_id: _id, passed: _, ...rest }): mongo.AnyBulkWriteOperation<CursorDocument> => ({
          updateOne: {
            filter: { _id, turn: { $lte: rest.turn } },
            update: { $set: { schema_version: 1, ...rest } },
            upsert: true,
          },
        }),
      );
      if (operations.length === 0) return;
      try {
        await collection.bulkWrite(operations, { ordered: false });
      } catch (error) {
        // Of a cursor that a later turn has written.
        if (refusedWrites(error).some(({ code }) => code !== DUPLICATE_KEY)) throw error;
      }
    },
    async passUpTo(_id, passed) {
      const unread = {
        schema_version: 1 as const,
        turn: 0,
        number: 0,
        seen: 0,
        retry_at: null,
        state: '',
        version: 0,
      };
      await collection.updateOne(
        { _id },
        { $max: { passed }, $setOnInsert: unread } as mongo.UpdateFilter<CursorDocument>,
        { upsert: true },
      );
    },
  };
}
