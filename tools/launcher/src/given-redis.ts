import { connectRedis } from '@sluice/redis/connection/redis-connection';
import { reasonOf, redisRefusal } from '@sluice/redis/connection/redis-refusal';
import { withoutCredentials } from '@sluice/runtime/config/without-credentials';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import { within } from '@sluice/runtime/timing/within';

const ANSWER_MS = 10_000;
const AWAY = 'Start it, or unset REDIS_URL so that npm start starts one.';

export type GivenRedis = { readonly ok: true } | { readonly ok: false; readonly detail: string };

export interface CheckSettings {
  readonly url: string;
  readonly logger: Logger;
  /** Timeout for its response. Milliseconds. */
  readonly answerMs?: number;
}

/** Checks that the Redis of REDIS_URL is usable. The ingress warns about settings that may lose data. */
export async function checkGivenRedis({
  url,
  logger,
  answerMs = ANSWER_MS,
}: CheckSettings): Promise<GivenRedis> {
  const redis = connectRedis({ url, name: 'launcher', role: 'worker', logger });
  let heard: string | undefined;
  redis.on('error', (error: Error) => {
    heard = reasonOf(error);
  });
  // To disconnect would not end the wait: between two tries to connect, ioredis leaves its commands unanswered.
  const late = () => {
    throw new Error(`nothing within ${answerMs / 1000} seconds`);
  };
  try {
    const info = await within(answerMs, redis.info('everything'), late);
    return judgeRedisInfo(info, withoutCredentials(url));
  } catch (error) {
    const { message } = error as Error;
    // ioredis retries a Cluster that refuses connections like one that is away.
    const refusal = await redisRefusal(url, heard ?? message);
    const trouble =
      refusal === undefined
        ? `does not answer: ${message}. ${AWAY}`
        : `refuses the connection (${refusal.said}). ${refusal.advice}`;
    return { ok: false, detail: `Redis at ${withoutCredentials(url)} (REDIS_URL) ${trouble}` };
  } finally {
    redis.disconnect();
  }
}

/** Checks the response of INFO. `shownUrl` appears in commands that the reader can paste. */
function judgeRedisInfo(info: string, shownUrl: string): GivenRedis {
  const policy = field(info, 'maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction') {
    return {
      ok: false,
      detail: [
        `Redis at ${shownUrl} (REDIS_URL) has maxmemory-policy ${policy}: when full, it would silently drop accepted actions.`,
        `Correct it with:  redis-cli -u '${shownUrl}' config set maxmemory-policy noeviction`,
        'and set the same in its redis.conf.',
      ].join('\n'),
    };
  }
  return { ok: true };
}

function field(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(\\S*)`, 'm').exec(info)?.[1];
}
