import type { Source } from '@sluice/store/source';
import { publishReply } from '@sluice/subscriptions/publish-reply';
import { tryAgainLater } from './exit-codes.ts';
import { isRedisAway } from './redis-ready.ts';
import type { Stack } from './stack.ts';

/** Publishes a channel's reply URL and secrets. Resolves once no reply leaves by the previous ones. */
export async function publishReplyOf(stack: Stack, now: () => number, channel: Source): Promise<void> {
  try {
    await publishReply(await stack.publishing(now), channel);
  } catch (error) {
    if (!isRedisAway(error)) throw error;
    throw tryAgainLater(
      `The change of ${channel.source_id} is stored. Redis didn't confirm it, so replies may still use the previous URL or secret. Run this command again.`,
      error,
    );
  }
}
