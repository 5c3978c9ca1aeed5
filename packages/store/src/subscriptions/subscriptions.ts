import type { PauseReason } from '@sluice/contract/subscription/subscription';
import type { Connection, mongo } from 'mongoose';
import { beyondPlace } from '../reading/beyond-place.ts';
import { LIST_BATCH } from '../reading/list-batch.ts';
import { type Page, readPage } from '../reading/read-page.ts';
import { ADMIN_WRITE } from '../writing/admin-write.ts';
import { isSet, nativeSchema, registerCollection } from '../writing/native-collection.ts';
import { isCollision, isDuplicateKey } from '../writing/write-errors.ts';
import {
  fromDocument,
  type Subscription,
  type SubscriptionDocument,
  toDocument,
} from './subscription-document.ts';

/** A page of the subscriptions of one key, newest first. */
export interface SubscriptionPage {
  /** The last subscription of the previous page. */
  readonly after?: { readonly created_at: number; readonly subscription_id: string } | undefined;
  readonly limit: number;
}

export interface Subscriptions {
  /** `duplicate`: the account has a subscription with this URL or id. */
  insertSubscription(subscription: Subscription): Promise<'inserted' | 'duplicate'>;
  findSubscription(accountId: string, subscriptionId: string): Promise<Subscription | undefined>;
  findByUrl(accountId: string, urlKey: string): Promise<Subscription | undefined>;
  /**
   * Replaces the subscription, if the stored one still has the version before `subscription.version`. `duplicate`: another
   * one of the account has its URL.
   */
  replaceSubscription(subscription: Subscription): Promise<'replaced' | 'lost_race' | 'duplicate'>;
  /** Removes the subscription with its cursor, if the stored one still has this version. */
  removeSubscription(subscription: Pick<Subscription, 'subscription_id' | 'version'>): Promise<boolean>;
  /** All of the account, with tombstones, oldest first. */
  listSubscriptions(accountId: string): Promise<readonly Subscription[]>;
  /**
   * Those of the accounts with a subscription to one of these kinds: also paused ones and tombstones, but not those that are paused for a
   * dead key.
   */
  accountsAskingFor(events: readonly string[], accountIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Those that these keys have made and not deleted, newest first. */
  pageOfKeys(keyIds: readonly string[], now: number, page: SubscriptionPage): Promise<Page<Subscription>>;
  listOfKey(keyId: string): Promise<readonly Subscription[]>;
  /** Those that are to be removed by then, the first ones first. */
  listExpired(by: number, limit: number): Promise<readonly Subscription[]>;
  /** Those whose key has expired by then, and that are not paused for it yet. */
  listOfExpiredKeys(by: number, limit: number): Promise<readonly Subscription[]>;
  /** The keys of all subscriptions, each once. It reads no subscription, but their index. */
  listKeys(): Promise<readonly string[]>;
  /** Those of the keys with a subscription that is not paused for its key. */
  liveAmong(keyIds: readonly string[]): Promise<readonly string[]>;
  /** Those that are paused for one of these reasons, and whose owners were not informed yet. No tests or tombstones. */
  listPending(reasons: readonly PauseReason[], limit: number): Promise<readonly Subscription[]>;
  /** How many there are in the installation, by their pause. No tombstones and no streams. It reads all of them. */
  countByPause(): Promise<Readonly<Record<'active' | 'failing' | 'paused', number>>>;
  /** Whether a sealed secret matches the pattern; without a pattern, whether any sealed secret exists. */
  hasSealed(pattern?: RegExp): Promise<boolean>;
  /** The accounts with subscriptions, each once, in the order of their ids: those of the next `limit` subscriptions. Without any no further ones follow. */
  pageAccounts(after: string, limit: number): Promise<readonly string[]>;
  /** All of the installation, in the order of their ids. For the encryption of the secrets with another key. */
  listAfter(subscriptionId: string, limit: number): Promise<readonly Subscription[]>;
}

function subscriptionSchema() {
  return nativeSchema<SubscriptionDocument>()
    .index({ account_id: 1, url_key: 1 }, { unique: true })
    .index({ key_id: 1, created_at: -1, _id: -1 })
    .index({ expires_at: 1 }, isSet('expires_at'))
    .index({ key_expires_at: 1 }, isSet('key_expires_at'))
    .index({ 'paused.reason': 1 }, isSet('paused.reason'));
}

const PAUSED_FOR_KEY = { 'paused.reason': { $nin: ['key_revoked', 'key_expired'] } };

export function createSubscriptions(connection: Connection): Subscriptions {
  const collection = registerCollection(
    connection,
    'WebhookSubscription',
    subscriptionSchema(),
    'webhook_subscriptions',
  );
  const findOne = async (filter: mongo.Filter<SubscriptionDocument>) => {
    const document = await collection.findOne(filter);
    return document === null ? undefined : fromDocument(document);
  };
  const list = async (cursor: mongo.FindCursor<mongo.WithId<SubscriptionDocument>>) =>
    (await cursor.toArray()).map(fromDocument);
  return {
    async insertSubscription(subscription) {
      try {
        await collection.insertOne(toDocument(subscription), ADMIN_WRITE);
        return 'inserted';
      } catch (error) {
        if (isDuplicateKey(error) || isCollision(error)) return 'duplicate';
        throw error;
      }
    },
    findSubscription: (account_id, _id) => findOne({ _id, account_id }),
    findByUrl: (account_id, url_key) => findOne({ account_id, url_key }),
    async replaceSubscription(subscription) {
      const { _id, ...rest } = toDocument(subscription);
      const guard = { _id, account_id: subscription.account_id, version: subscription.version - 1 };
      try {
        const { matchedCount } = await collection.replaceOne(guard, rest, ADMIN_WRITE);
        return matchedCount === 1 ? 'replaced' : 'lost_race';
      } catch (error) {
        if (isDuplicateKey(error)) return 'duplicate';
        if (isCollision(error)) return 'lost_race';
        throw error;
      }
    },
    async removeSubscription({ subscription_id: _id, version }) {
      if ((await collection.deleteOne({ _id, version }, ADMIN_WRITE)).deletedCount === 0) return false;
      await connection.collection<{ _id: string }>('webhook_cursors').deleteOne({ _id });
      return true;
    },
    listSubscriptions: (account_id) => list(collection.find({ account_id }).sort({ created_at: 1, _id: 1 })),
    async accountsAskingFor(events, accountIds) {
      const filter = {
        account_id: { $in: [...accountIds] },
        events: { $in: [...events] },
        ...PAUSED_FOR_KEY,
      };
      return new Set(await collection.distinct('account_id', filter));
    },
    pageOfKeys(keyIds, now, { after, limit }) {
      const live = { key_id: { $in: [...keyIds] }, deleted_at: { $exists: false }, ...notExpired(now) };
      const cursor = collection
        .find(
          after === undefined
            ? live
            : {
                $and: [
                  live,
                  beyondPlace<SubscriptionDocument>('created_at', -1, {
                    at: after.created_at,
                    id: after.subscription_id,
                  }),
                ],
              },
        )
        .sort({ created_at: -1, _id: -1 })
        .limit(limit + 1)
        .batchSize(LIST_BATCH);
      return readPage(cursor, limit, fromDocument);
    },
    listOfKey: (key_id) => list(collection.find({ key_id })),
    listExpired: (by, limit) =>
      list(
        collection
          .find({ expires_at: { $lte: new Date(by) } })
          .sort({ expires_at: 1 })
          .limit(limit),
      ),
    listOfExpiredKeys: (by, limit) =>
      list(collection.find({ key_expires_at: { $lte: new Date(by) }, ...PAUSED_FOR_KEY }).limit(limit)),
    async listKeys() {
      return (await collection.distinct('key_id')).filter((key) => key !== null);
    },
    async liveAmong(keyIds) {
      if (keyIds.length === 0) return [];
      const live = await collection.distinct('key_id', { key_id: { $in: [...keyIds] }, ...PAUSED_FOR_KEY });
      return live.filter((key) => key !== null);
    },
    listPending(reasons, limit) {
      const untold = { 'paused.reason': { $in: [...reasons] }, 'paused.told_at': { $exists: false } };
      const kept = { ephemeral: false, deleted_at: { $exists: false } };
      return list(collection.find({ ...untold, ...kept }).limit(limit));
    },
    async countByPause() {
      const kept = { ephemeral: false, deleted_at: { $exists: false } };
      const pipeline = [{ $match: kept }, { $group: { _id: '$paused.reason', count: { $sum: 1 } } }];
      const groups = await collection
        .aggregate<{ _id: PauseReason | null; count: number }>(pipeline)
        .toArray();
      const total = { active: 0, failing: 0, paused: 0 };
      for (const { _id: reason, count } of groups)
        total[reason === null ? 'active' : reason === 'failing' ? 'failing' : 'paused'] += count;
      return total;
    },
    async hasSealed(pattern) {
      const filter = { 'secrets.sealed': pattern ?? { $exists: true } };
      return (await collection.findOne(filter, { projection: { _id: 1 } })) !== null;
    },
    async pageAccounts(after, limit) {
      const found = collection.find(
        { account_id: { $gt: after } },
        { projection: { account_id: 1, _id: 0 } },
      );
      const page = await found.sort({ account_id: 1 }).limit(limit).toArray();
      return [...new Set(page.map(({ account_id }) => account_id))];
    },
    listAfter: (id, limit) =>
      list(
        collection
          .find({ _id: { $gt: id } })
          .sort({ _id: 1 })
          .limit(limit),
      ),
  };
}

function notExpired(now: number): mongo.Filter<SubscriptionDocument> {
  return { $or: [{ expires_at: { $exists: false } }, { expires_at: { $gt: new Date(now) } }] };
}
