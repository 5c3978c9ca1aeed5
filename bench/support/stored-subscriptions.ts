import { newId } from '@sluice/credentials/ids';
import { createKeyring } from '@sluice/credentials/seal';
import { newSubscriptionSecret, sealSubscriptionSecret } from '@sluice/credentials/subscription-secret';
import { urlKey } from '@sluice/outbound/subscriptions/url-key';
import { type SubscriptionDocument, toDocument } from '@sluice/store/subscriptions/subscription-document';
import type { Db } from 'mongodb';
import { SECRET_KEY } from './sources.ts';

const BATCH = 5_000;

/**
 * Stores subscriptions to all kinds, one of each account to each URL. The first fan-out of an account publishes them, as after a
 * restart of Redis.
 */
export async function storeSubscriptions(
  db: Db,
  accountIds: readonly string[],
  urls: readonly string[],
): Promise<void> {
  const keyring = createKeyring({ current: SECRET_KEY });
  const secret = newSubscriptionSecret();
  const now = Date.now();
  const all = accountIds.flatMap((account_id) =>
    urls.map((target_url) => {
      const subscription_id = newId('sub');
      const sealed = sealSubscriptionSecret(keyring, subscription_id, secret);
      return toDocument({
        ...{ subscription_id, account_id, key_id: null, target_url, url_key: urlKey(target_url) },
        ...{ name: null, events: ['*'], ordered: false, filter: {}, client: null, ephemeral: false },
        ...{ secrets: [{ sealed, created_at: now }], version: 1, created_at: now, updated_at: now },
      });
    }),
  );
  const collection = db.collection<SubscriptionDocument>('webhook_subscriptions');
  for (let at = 0; at < all.length; at += BATCH)
    await collection.insertMany(all.slice(at, at + BATCH), { ordered: false });
}
