import type { Source } from '@sluice/store/sources/source';
import type { Sources } from '@sluice/store/sources/sources';
import type { SubscriptionDeps } from './deps.ts';
import { publishedReply } from './publication.ts';
import { replyId } from './reply-id.ts';

type PublishReplyDeps = Pick<SubscriptionDeps, 'subscriptionDirectory' | 'sleep'> & {
  readonly sources: Pick<Sources, 'findSource'>;
};

/** Why a reply failed that was waiting when its URL was removed. */
export const REPLY_URL_REMOVED = 'The reply URL of the channel was removed before this reply was delivered.';

type Channel = Pick<Source, 'account_id' | 'source_id'>;

/**
 * Publishes the reply URL and the secrets of a channel. Resolves once no reply can leave for the previous URL. Idempotent. Throws if
 * MongoDB or Redis fails; then repeat it.
 */
export function publishReply(deps: PublishReplyDeps, channel: Channel): Promise<void> {
  return changeReply(deps, channel, async () => undefined);
}

/**
 * Changes a channel, and publishes its reply URL and its secrets. The fence comes first: if this process dies behind the change, the
 * account is published again from MongoDB. Resolves and throws as publishReply does.
 */
export async function changeReply<T>(
  { sources, subscriptionDirectory: directory, sleep }: PublishReplyDeps,
  { account_id, source_id }: Channel,
  change: () => Promise<T>,
): Promise<T> {
  const fence = await directory.fence(account_id);
  const changed = await change();
  const channel = await sources.findSource(source_id);
  const reply = channel == null ? undefined : publishedReply(channel);
  const { leasesEndInMs } = await directory.publish(account_id, fence, {
    put: reply === undefined ? [] : [reply],
    remove: reply === undefined ? [replyId(source_id)] : [],
  });
  await sleep(leasesEndInMs);
  return changed;
}
