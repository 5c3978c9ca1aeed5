import type { Keyspace } from '@sluice/redis/keyspace';
import type { Shards } from '@sluice/redis/shards/shards';
import { withScripts } from '@sluice/redis/with-scripts';
import type { Redis } from 'ioredis';
import type { Due, Turns } from '../queue/turn.ts';
import { COUNT_DUE } from './turns.lua.ts';

interface CountDueCommands {
  sluiceCountDue(key: string): Promise<[number, number]>;
}

/** Counts the subscriptions of a shard that are due and have no turn. Rejects if Redis does not respond. */
export function createCountDue({
  redis,
  shards,
}: {
  readonly redis: Redis;
  readonly shards: Shards;
}): Turns['countDue'] {
  const commands = withScripts<CountDueCommands>(redis, { sluiceCountDue: COUNT_DUE });
  return async (shard): Promise<Due> => {
    const [subscriptions, oldestMs] = await commands.sluiceCountDue((shards.all[shard] as Keyspace).cursors);
    return { subscriptions, oldestMs };
  };
}
