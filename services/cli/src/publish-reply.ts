import { changeReply, publishReply } from '@sluice/outbound/subscriptions/publish-reply';
import type { Source } from '@sluice/store/sources/source';
import { tryAgainLater } from './exit-codes.ts';
import { redisFailure } from './redis-failure.ts';
import type { Stack } from './stack.ts';

const AGAIN = 'Run this command again.';

type Channel = Pick<Source, 'account_id' | 'source_id'>;

/** Publishes a channel's reply URL and secrets. Resolves once no reply leaves by the previous ones. */
export async function publishReplyOf(stack: Stack, now: () => number, channel: Channel): Promise<void> {
  try {
    await publishReply(await stack.publishing(now), channel);
  } catch (error) {
    throw redisFailure(error) === undefined ? error : unconfirmed(channel, AGAIN, error);
  }
}

/**
 * Changes the reply URL or the secrets of a channel, and publishes them. Resolves once no reply leaves by the previous ones. If this
 * process dies behind the change, a service publishes it within seconds. `again`: what to do if Redis fails behind the change.
 */
export async function changeReplyOf<T>(
  stack: Stack,
  now: () => number,
  channel: Channel,
  change: () => Promise<T>,
  again = AGAIN,
): Promise<T> {
  const deps = await stack.publishing(now);
  let state: 'unchanged' | 'changing' | 'changed' = 'unchanged';
  try {
    return await changeReply(deps, channel, async () => {
      state = 'changing';
      const changed = await change();
      state = 'changed';
      return changed;
    });
  } catch (error) {
    const failure = redisFailure(error);
    throw failure === undefined ? error : explained({ state, channel, error, failure, again });
  }
}

interface FailedChange {
  readonly state: 'unchanged' | 'changing' | 'changed';
  readonly channel: Channel;
  readonly error: unknown;
  readonly failure: string;
  readonly again: string;
}

function explained({ state, channel, error, failure, again }: FailedChange): unknown {
  switch (state) {
    case 'unchanged':
      return tryAgainLater(`${failure} Nothing was changed. ${AGAIN}`, error);
    // The error of the change itself.
    case 'changing':
      return error;
    case 'changed':
      return unconfirmed(channel, again, error);
  }
}

function unconfirmed({ source_id }: Channel, again: string, error: unknown): unknown {
  const meanwhile = "Redis didn't confirm it, so replies may still use the previous URL or secret.";
  return tryAgainLater(`The change of ${source_id} is stored. ${meanwhile} ${again}`, error);
}
