import type { Sources } from '@sluice/store/sources';
import type { SubscriptionDeps } from './deps.ts';
import { publishedReply, wantsEvents } from './publication.ts';
import { replyId } from './reply-id.ts';

type PublishReplyDeps = Pick<
  SubscriptionDeps,
  'subscriptions' | 'subscriptionDirectory' | 'now' | 'sleep'
> & {
  readonly sources: Pick<Sources, 'findSource'>;
};

/** Why a reply failed that was waiting when its URL was removed. */
export const REPLY_URL_REMOVED = 'The reply URL of the channel was removed before this reply was delivered.';

/**
 * Publishes the reply URL and its secrets after a channel was changed. Resolves once no reply can leave for the previous URL.
 * Idempotent. Throws if MongoDB or Redis fails; then repeat the change.
 */
export async function publishReply(
  { subscriptions, sources, subscriptionDirectory: directory, now, sleep }: PublishReplyDeps,
  { account_id, source_id }: { readonly account_id: string; readonly source_id: string },
): Promise<void> {
  const fence = await directory.fence(account_id);
  const [channel, own] = await Promise.all([
    sources.findSource(source_id),
    subscriptions.listSubscriptions(account_id),
  ]);
  const reply = channel == null ? undefined : publishedReply(channel);
  const { leasesEndInMs } = await directory.publish(account_id, fence, {
    put: reply === undefined ? [] : [reply],
    remove: reply === undefined ? [replyId(source_id)] : [],
    wantsEvents: wantsEvents(own, now()),
  });
  await sleep(leasesEndInMs);
}
