import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';

/** Ends a claim before it expires. Always resolves, because a claim that cannot be ended expires. */
export type EndClaim = () => Promise<void>;

/** The lifetime of a claim: longer than its renewal, and short enough to wait for after a kill. */
const CLAIM_MS = 10_000;
const CLAIM_AGAIN_MS = 2_000;

/** Renews a claim only if this process still has it; after a long freeze another process may. A lifetime of 0 deletes it. */
const KEEP_CLAIM_LUA = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0`;

/** Claims a key while this process runs, so that no two processes do the same at once. Undefined: another process has it. */
export async function claimKey(redis: Redis, key: string): Promise<EndClaim | undefined> {
  const claim = randomUUID();
  if ((await redis.set(key, claim, 'PX', CLAIM_MS, 'NX')) === null) return undefined;
  const keepFor = (ms: number) => redis.eval(KEEP_CLAIM_LUA, 1, key, claim, ms);
  const timer = setInterval(() => void keepFor(CLAIM_MS).catch(() => undefined), CLAIM_AGAIN_MS);
  return async () => {
    clearInterval(timer);
    await keepFor(0).catch(() => undefined);
  };
}
