import { newSubscriptionSecret, sealSubscriptionSecret } from '@sluice/credentials/subscription-secret';
import type { OutboundChange } from '@sluice/store/outbound/outbound-changes';
import type { Redis } from 'ioredis';
import type { OutboundPipeline } from '../../dispatcher/support/outbound-pipeline.ts';
import { subscription } from '../../outbound/directory/support/use-directory.ts';
import { appendChanges } from '../../outbound/subscriptions/support/messages.ts';

interface Subscribed {
  readonly id: string;
  readonly url: string;
  /** Default: all. */
  readonly events?: readonly string[];
  readonly ordered?: boolean;
}

/**
 * Publishes subscriptions of an account as the management does. Returns how to append changes to the log that they read.
 */
export async function publishSubscriptions(
  { pipeline, redis }: { readonly pipeline: OutboundPipeline; readonly redis: Redis },
  accountId: string,
  subscribed: readonly Subscribed[],
) {
  const { keyring, subscriptionDirectory: directory } = pipeline.deps;
  const published = subscribed.map(({ id, url: target_url, events = ['*'], ordered = false }) => {
    const sealed = sealSubscriptionSecret(keyring, id, newSubscriptionSecret());
    const secrets = [{ sealed, expires_at: null }];
    const asked = { target_url, events, ordered, secrets };
    return subscription({ account_id: accountId, subscription_id: id, ...asked });
  });
  await directory.republish(accountId, async () => ({ put: published }));
  const { namespace, store } = pipeline;
  return {
    append: (changes: readonly OutboundChange[]) =>
      appendChanges(
        { redis, namespace, store },
        changes.map((one) => ({ ...one, account_id: accountId })),
      ),
  };
}
