import type { Shards } from '@sluice/redis/shards/shards';
import { withScripts } from '@sluice/redis/with-scripts';
import type { Redis } from 'ioredis';
import type { StopReason } from '../queue/turn.ts';
import { ASK_CURSOR } from './turns.lua.ts';

/**
 * Call it once MongoDB has something for the turns of a subscription that is not a change in the log: a request, rows that are due, or changes that
 * are passed. A turn that runs ends within the time of a lease, and the next one looks. Returns undefined, or why nothing is delivered now: then the
 * first turn that may deliver looks. `unpublished`: publish the account again, and ask again. Rejects if Redis does not respond.
 */
export type AskTurns = (accountId: string, subscriptionId: string) => Promise<AskStop | undefined>;

export type AskStop = Exclude<StopReason, 'changed'>;

interface AskCommands {
  sluiceAskCursor(key: string, prefix: string, subscription: string): Promise<string>;
}

export function createAskTurns({
  redis,
  shards,
}: {
  readonly redis: Redis;
  readonly shards: Shards;
}): AskTurns {
  const commands = withScripts<AskCommands>(redis, { sluiceAskCursor: ASK_CURSOR });
  return async (accountId, subscriptionId) => {
    const { cursors, prefix } = shards.of(accountId);
    const why = await commands.sluiceAskCursor(cursors, prefix, subscriptionId);
    return why === '' ? undefined : (why as AskStop);
  };
}
