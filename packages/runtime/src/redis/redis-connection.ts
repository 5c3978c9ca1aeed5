import { type Cluster, Redis } from 'ioredis';
import { type Backoff, backoffMs } from '../process/backoff.ts';
import type { Logger } from '../telemetry/logger.ts';
import { connectCluster } from './cluster-connection.ts';
import type { Options, RedisRole } from './connection-options.ts';
import { restoreFastStrings } from './fast-strings.ts';
import { parseRedisUrl } from './redis-address.ts';
import { createReadOnlyWatch, logRedisState } from './redis-state-log.ts';

/** The longest that a sender's request may wait for one Redis command; all of it must fit in 1.5 seconds. */
const COMMAND_TIMEOUT_MS = 1000;
/**
 * The longest wait adds to each outage: senders are rejected until the next attempt. Shorter would load a Redis that is
 * starting, as each connection tries four times a second.
 */
const RECONNECT: Backoff = { firstMs: 50, longestMs: 250 };
const KEEP_ALIVE_MS = 10_000;

const ROLE_OPTIONS: Record<RedisRole, Options> = {
  request: {
    enableOfflineQueue: false,
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    // What timed out has been answered with 503: sent again by itself it would only surprise.
    autoResendUnfulfilledCommands: false,
    connectTimeout: 2000,
    // A host that vanished sends no reset: without this the dead socket is kept for many minutes.
    socketTimeout: 5000,
  },
  worker: {
    maxRetriesPerRequest: null,
    connectTimeout: 5000,
    // Above the longest time that BullMQ blocks (10 s), so that only a dead link trips it.
    socketTimeout: 30_000,
  },
};

export interface RedisConnectionSettings {
  readonly url: string;
  /** Shown by CLIENT LIST. */
  readonly name: string;
  readonly role: RedisRole;
  readonly logger: Logger;
  /** For one more of many connections of a process: another to the same Redis, which finds out for it who serves what. */
  readonly beside?: Redis;
}

/** Milliseconds before reconnect number `attempt`: 50, 100, 200, 250, 250 … without end. */
export function reconnectDelay(attempt: number): number {
  return backoffMs(RECONNECT, attempt);
}

/**
 * A client that never throws at start and reconnects for ever. Close it with `disconnect()`.
 *
 * For a Cluster it is ioredis's Cluster, which has the same commands and events and is typed as Redis here, so that nobody
 * has to tell them apart. What names no key goes to any of its nodes: ask such things through admission's shard-node.ts.
 */
export function connectRedis({ url, name, role, logger, beside }: RedisConnectionSettings): Redis {
  const address = parseRedisUrl(url);
  if (address === undefined) throw new TypeError('REDIS_URL is not the address of a Redis');
  const readOnly = createReadOnlyWatch();
  const options: Options = {
    ...ROLE_OPTIONS[role],
    connectionName: name,
    keepAlive: KEEP_ALIVE_MS,
    // By itself ioredis waits for as long as Redis guesses that its file takes, in whole seconds.
    maxLoadingRetryTime: RECONNECT.longestMs,
    // Slower adds and lost-lock errors under BullMQ when on.
    enableAutoPipelining: false,
    reconnectOnError: ({ message }) => readOnly.reconnect(message),
  };
  const redis =
    address.kind === 'server'
      ? new Redis(address.url, { ...options, retryStrategy: reconnectDelay })
      : (connectCluster({
          address,
          role,
          options,
          reconnectDelay,
          beside: beside as Cluster | undefined,
        }) as unknown as Redis);
  restoreFastStrings();
  neverInAnotherDatabase(redis);
  logRedisState({ redis, url, readOnly, logger: logger.child({ component: 'redis', connection: name }) });
  return redis;
}

/**
 * Where the database of REDIS_URL cannot be selected, ioredis tells of an error and goes on in database 0, which may be
 * another installation's. Closed at once, the connection never counts as ready, and is tried again.
 */
function neverInAnotherDatabase(redis: Redis): void {
  redis.on('error', ({ command }: Error & { readonly command?: { readonly name: string } }) => {
    if (command?.name === 'select') redis.disconnect(true);
  });
}
