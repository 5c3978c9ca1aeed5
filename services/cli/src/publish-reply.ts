import { isRedisUnavailable } from '@sluice/runtime/redis/redis-away';
import type { Source } from '@sluice/store/source';
import { publishReply } from '@sluice/subscriptions/publish-reply';
import { tryAgainLater } from './exit-codes.ts';
import type { Stack } from './stack.ts';

/** Publishes a channel's reply URL and secrets. Resolves once no reply leaves by the previous ones. `again`: what to do if Redis fails. */
export async function publishReplyOf(
  stack: Stack,
  now: () => number,
  channel: Source,
  again = 'Run this command again.',
): Promise<void> {
  try {
    await publishReply(await stack.publishing(now), channel);
  } catch (error) {
    if (!isRedisUnavailable(error)) throw error;
    throw tryAgainLater(
      `The change of ${channel.source_id} is stored. Redis didn't confirm it, so replies may still use the previous URL or secret. ${again}`,
      error,
    );
  }
}
