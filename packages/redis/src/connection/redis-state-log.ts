import { MINUTE_MS } from '@sluice/contract/time/durations';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { Redis } from 'ioredis';
import { isReadOnly, READ_ONLY_ADVICE, reasonOf, redisRefusal, refusalIn } from './redis-refusal.ts';
import { noteAway, whyAway } from './why-away.ts';

/** A replica rejects every write. This bounds the reconnects and log lines that follow. */
const READ_ONLY_AGAIN_MS = 1000;
const READ_ONLY_LOG_AGAIN_MS = MINUTE_MS;

/** Watches for a read-only Redis: decides when to reconnect, and explains why a connection closed. */
export interface ReadOnlyWatch {
  /** Whether to reconnect after an error. A demoted primary answers READONLY on the old connection forever. */
  reconnect(message: string): boolean;
  /** The error of Redis that closes the connection. */
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
      // An earlier error, sent to a node of a Cluster, did not close this connection.
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

/** Logs when Redis goes away and comes back, and what to do when it refuses the connection. */
export function logRedisState({ redis, url, readOnly, logger }: RedisStateLogDeps): void {
  let away: 'no' | 'away' | 'read_only' = 'no';
  let readOnlyLoggedAt = Number.NEGATIVE_INFINITY;
  let looking = false;
  /** The latest refusal in the log. Each reason has one line. */
  let logged: string | undefined;
  const logRefusal = async (reason: string) => {
    if (looking) return;
    looking = true;
    const refusal = await redisRefusal(url, reason);
    looking = false;
    if (refusal === undefined || away === 'no') return;
    const { said, advice } = refusal;
    noteAway(redis, said);
    if (said === logged) return;
    logged = said;
    logger.error({ event: 'redis.refuses', reason: said, advice }, 'redis refuses this connection');
  };
  const logReadOnly = (reason: string) => {
    if (performance.now() - readOnlyLoggedAt < READ_ONLY_LOG_AGAIN_MS) return;
    readOnlyLoggedAt = performance.now();
    const fields = { event: 'redis.refuses', reason, advice: READ_ONLY_ADVICE };
    logger.error(fields, 'redis takes no writes; reconnecting');
  };
  const goneAway = (reason: string) => {
    if (away !== 'no') return;
    const said = readOnly.takeReason();
    away = said === undefined ? 'away' : 'read_only';
    if (said !== undefined) return logReadOnly(said);
    logger.warn({ reason }, 'redis is away; reconnecting');
  };
  redis.on('error', (error: Error) => {
    const reason = reasonOf(error);
    goneAway(reason);
    if (away !== 'away') return;
    if (refusalIn(whyAway(redis) ?? '') === undefined) noteAway(redis, reason);
    // A refusal may follow the loss of the connection, such as after a change of the password.
    void logRefusal(reason);
  });
  redis.on('reconnecting', () => {
    const isNew = away === 'no';
    goneAway('connection closed');
    if (isNew && away === 'away') void logRefusal('connection closed');
  });
  redis.on('ready', () => {
    // A read-only Redis may still be read-only: only a write can show it.
    if (away === 'away') logger.info('redis is back');
    away = 'no';
    logged = undefined;
    noteAway(redis, undefined);
  });
}
