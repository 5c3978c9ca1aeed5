import type { Shards } from '@sluice/redis/shards/shards';
import type { Redis } from 'ioredis';
import { HELD_MS } from './checks/source-state.lua.ts';

/** Admits nothing new of a source for HELD_MS. Nothing happens if Redis does not know the source. */
export type HoldSource = (source: {
  readonly account_id: string;
  readonly source_id: string;
}) => Promise<void>;

/** KEYS[1] source hash   ARGV[1] for how long, ms */
const HOLD = `
if redis.call('EXISTS', KEYS[1]) == 0 then return end
local time = redis.call('TIME')
redis.call('HSET', KEYS[1], 'held_until', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1])
`;

interface HoldCommand {
  sluiceHoldSource(key: string, ms: number): Promise<null>;
}

export function createHoldSource({ redis, shards }: { redis: Redis; shards: Shards }): HoldSource {
  redis.defineCommand('sluiceHoldSource', { numberOfKeys: 1, lua: HOLD });
  const commands = redis as unknown as HoldCommand;
  return async ({ account_id, source_id }) => {
    await commands.sluiceHoldSource(shards.of(account_id).source(source_id), HELD_MS);
  };
}
