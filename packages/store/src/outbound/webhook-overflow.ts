import type { OverflowRow, OverflowStore } from '@sluice/contract/subscription/mailbox-overflow';
import { DAY_SECONDS } from '@sluice/contract/time/durations';
import type { Connection, mongo } from 'mongoose';
import { insertNew, nativeSchema, registerCollection } from '../writing/native-collection.ts';

interface OverflowDocument {
  readonly _id: string;
  readonly schema_version: 1;
  readonly subscription_id: string;
  readonly era: string;
  readonly epoch: number;
  readonly number: number;
  readonly message_id: string;
  readonly pushed_at: Date;
  readonly entry: string;
}

/** Texts of changes are kept equally long. */
const RETENTION_SECONDS = 30 * DAY_SECONDS;
const NEWEST_FIRST = { pushed_at: -1, message_id: -1 } as const;

/** The part of mailboxes that waits in MongoDB. */
export function createWebhookOverflow(connection: Connection): OverflowStore {
  const schema = nativeSchema<OverflowDocument>()
    .index({ subscription_id: 1, number: 1 })
    .index({ subscription_id: 1, ...NEWEST_FIRST })
    .index({ pushed_at: 1 }, { expireAfterSeconds: RETENTION_SECONDS });
  const collection = registerCollection(connection, 'WebhookOverflow', schema, 'webhook_overflow');
  return {
    async insertRows(rows) {
      await insertNew(collection, rows.map(toDocument));
    },
    async readRows({ subscriptionId: subscription_id, era, from, to, limit }) {
      const wanted = { subscription_id, era, number: { $gte: from, $lte: to } };
      return (await collection.find(wanted).sort({ number: 1 }).limit(limit).toArray()).map(fromDocument);
    },
    async removeRows({ subscriptionId: subscription_id, era, epoch, from, to }) {
      const number = { $gte: from, $lte: to };
      await collection.deleteMany({ subscription_id, era, number, epoch: { $lte: epoch } });
    },
    async containsMessage({ subscriptionId: subscription_id, era, messageId: message_id, from, to }) {
      const wanted = { subscription_id, message_id, era, number: { $gte: from, $lte: to } };
      return (await collection.findOne(wanted, { projection: { _id: 1 } })) !== null;
    },
    async newestRows({ subscriptionId: subscription_id, era, from, to, before, limit }) {
      const filter: mongo.Filter<OverflowDocument> = {
        subscription_id,
        era,
        number: { $gte: from, $lte: to },
      };
      if (before !== undefined) {
        const at = new Date(before.pushedAt);
        filter.$or = [{ pushed_at: { $lt: at } }, { pushed_at: at, message_id: { $lt: before.messageId } }];
      }
      return (await collection.find(filter).sort(NEWEST_FIRST).limit(limit).toArray()).map(fromDocument);
    },
  };
}

function toDocument({ subscriptionId, era, epoch, number, messageId, pushedAt, entry }: OverflowRow) {
  return {
    _id: `${subscriptionId}:${era}:${epoch}:${number}`,
    schema_version: 1 as const,
    subscription_id: subscriptionId,
    era,
    epoch,
    number,
    message_id: messageId,
    entry,
    pushed_at: new Date(pushedAt),
  };
}

function fromDocument(document: OverflowDocument): OverflowRow {
  const { subscription_id, era, epoch, number, message_id, pushed_at, entry } = document;
  return {
    subscriptionId: subscription_id,
    era,
    epoch,
    number,
    messageId: message_id,
    pushedAt: pushed_at.getTime(),
    entry,
  };
}
