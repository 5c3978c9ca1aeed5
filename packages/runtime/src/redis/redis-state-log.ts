import type { Redis } from 'ioredis';
import type { Logger } from '../telemetry/logger.ts';
import { isReadOnly, READ_ONLY_ADVICE, reasonOf, redisRefusal } from './redis-refusal.ts';

/** A replica answers every write so: neither a new connection for each, nor a line. */
const READ_ONLY_AGAIN_MS = 1000;
const READ_ONLY_TOLD_AGAIN_MS = 60_000;

/** A Redis that takes no writes: when to connect anew because of it, and whether a connection closed because of it. */
export interface ReadOnlyWatch {
  /** Whether to connect anew because of an error: a failed-over primary answers READONLY for ever on the old connection. */
  reconnect(message: string): boolean;
  /** What Redis said where the connection closes because of it. */
  takeReason(): string | undefined;
}

export function createReadOnlyWatch(): ReadOnlyWatch {
  let said: string | undefined;
  let seenAt = Number.NEGATIVE_INFINITY;
  const isFresh = () => performance.now() - seenAt < READ_ONLY_AGAIN_MS;
  return {
    reconnect(message) {
      if (!isReadOnly(message) || isFresh()) return false;
      said = message;
      seenAt = performance.now();
      return true;
    },
    takeReason() {
      // What was said before that, to a node of a Cluster, did not close this.
      const reason = isFresh() ? said : undefined;
      said = undefined;
      return reason;
    },
  };
}

export interface RedisStateLogDeps {
  readonly redis: Redis;
  readonly url: string;
  readonly readOnly: Pick<ReadOnlyWatch, 'takeReason'>;
  readonly logger: Logger;
}

/** Tells when Redis goes away and comes back, and what to do where it is there and refuses. */
export function logRedisState({ redis, url, readOnly, logger }: RedisStateLogDeps): void {
  let away: 'no' | 'away' | 'read_only' = 'no';
  let readOnlyToldAt = Number.NEGATIVE_INFINITY;
  const tellRefusal = async (reason: string) => {
    const refusal = await redisRefusal(url, reason);
    if (refusal === undefined || away === 'no') return;
    const { said, advice } = refusal;
    logger.error({ event: 'redis.refuses', reason: said, advice }, 'redis refuses this connection');
  };
  const tellReadOnly = (reason: string) => {
    if (performance.now() - readOnlyToldAt < READ_ONLY_TOLD_AGAIN_MS) return;
    readOnlyToldAt = performance.now();
    const fields = { event: 'redis.refuses', reason, advice: READ_ONLY_ADVICE };
    logger.error(fields, 'redis takes no writes; reconnecting');
  };
  const goneAway = (reason: string) => {
    if (away !== 'no') return;
    const said = readOnly.takeReason();
    away = said === undefined ? 'away' : 'read_only';
    if (said !== undefined) return tellReadOnly(said);
    logger.warn({ reason }, 'redis is away; reconnecting');
    void tellRefusal(reason);
  };
  redis.on('error', (error: Error) => goneAway(reasonOf(error)));
  redis.on('reconnecting', () => goneAway('connection closed'));
  redis.on('ready', () => {
    // One that took no writes may still take none: only a write would tell.
    if (away === 'away') logger.info('redis is back');
    away = 'no';
  });
}
