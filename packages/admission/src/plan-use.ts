import { DAY_SECONDS } from '@sluice/contract/time/durations';
import type { Shards } from '@sluice/redis/shards/shards';
import { withScripts } from '@sluice/redis/with-scripts';
import type { Redis } from 'ioredis';

/** The count of accepted upserts in a month. The admission script compares it with the plan's limit. */
export interface PlanUse {
  /** Raises the count of an account in a month such as `2026-11` to at least this number. It is never lowered. */
  raise(accountId: string, month: string, atLeast: number): Promise<void>;
}

/** The same as in the admission script: longer than any month. */
const LIFE_SECONDS = 40 * DAY_SECONDS;

// KEYS[1] the counter   ARGV[1] at least   [2] its life in seconds
const RAISE = `
if tonumber(redis.call('GET', KEYS[1]) or 0) < tonumber(ARGV[1]) then
  redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
end
`;

interface PlanUseCommands {
  sluiceRaisePlanUse(key: string, atLeast: number, lifeSeconds: number): Promise<null>;
}

export function createPlanUse({ redis, shards }: { redis: Redis; shards: Pick<Shards, 'of'> }): PlanUse {
  const commands = withScripts<PlanUseCommands>(redis, { sluiceRaisePlanUse: RAISE });
  return {
    async raise(accountId, month, atLeast) {
      await commands.sluiceRaisePlanUse(
        shards.of(accountId).planUse(accountId, month),
        atLeast,
        LIFE_SECONDS,
      );
    },
  };
}
