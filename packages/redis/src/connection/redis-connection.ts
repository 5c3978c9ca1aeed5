import { parseRedisUrl } from '@sluice/runtime/config/redis-address';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import { type Backoff, backoffMs } from '@sluice/runtime/timing/backoff';
import { type Cluster, Redis } from 'ioredis';
import { connectCluster } from './cluster-connection.ts';
import type { Options, RedisRole } from './connection-options.ts';
import { createReadOnlyWatch, logRedisState } from './redis-state-log.ts';

/** The longest wait of a sender's request for one Redis command. The whole request must fit in 1.5 seconds. */
const COMMAND_TIMEOUT_MS = 1000;
/**
 * The longest wait adds to each outage: senders are rejected until the next attempt. Shorter would load a Redis that is
 * starting, as each connection tries four times a second.
 */
const RECONNECT: Backoff = { firstMs: 50, longestMs: 250 };
const KEEP_ALIVE_MS = 10_000;

const WORKER: Options = {
  maxRetriesPerRequest: null,
  connectTimeout: 5000,
  // Longer than BullMQ blocks (10 s), so that only a dead link triggers it.
  socketTimeout: 30_000,
};

const ROLE_OPTIONS: Record<RedisRole, Options> = {
  request: {
    enableOfflineQueue: false,
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    // A command that timed out has been answered with 503, so it must not be sent again automatically.
    autoResendUnfulfilledCommands: false,
    connectTimeout: 2000,
    // A host that vanished sends no reset. Without this the dead socket stays for many minutes.
    socketTimeout: 5000,
  },
  worker: WORKER,
  subscriber: { ...WORKER, autoResubscribe: false },
};

export interface RedisConnectionSettings {
  readonly url: string;
  /** Shown by CLIENT LIST. */
  readonly name: string;
  readonly role: RedisRole;
  readonly logger: Logger;
  /** Another connection of this process to the same Redis Cluster, which looks at the slots for this one. */
  readonly beside?: Redis;
}

/** Milliseconds before reconnect number `attempt`: 50, 100, 200, 250, 250 … It never gives up. */
export function reconnectDelay(attempt: number): number {
  return backoffMs(RECONNECT, attempt);
}

/**
 * Creates a client that never throws at start and reconnects forever. Close it with `disconnect()`.
 *
 * For a Cluster it is ioredis's Cluster. That has the same commands and events, so it is typed as Redis here. A command without
 * a key goes to any node: send such commands through shard-node.ts of packages/redis.
 */
export function connectRedis({ url, name, role, logger, beside }: RedisConnectionSettings): Redis {
  const address = parseRedisUrl(url);
  if (address === undefined) throw new TypeError('REDIS_URL is not the address of a Redis');
  const readOnly = createReadOnlyWatch();
  const options: Options = {
    ...ROLE_OPTIONS[role],
    connectionName: name,
    keepAlive: KEEP_ALIVE_MS,
    // ioredis would wait for the time that Redis estimates for loading its file, in whole seconds.
    maxLoadingRetryTime: RECONNECT.longestMs,
    // It makes BullMQ's adds slower and causes lost-lock errors.
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
 * When ioredis cannot select the database of REDIS_URL, it emits an error and continues in database 0, which may belong to
 * another installation. We close the connection at once: it never becomes ready, and ioredis tries again.
 */
function neverInAnotherDatabase(redis: Redis): void {
  redis.on('error', ({ command }: Error & { readonly command?: { readonly name: string } }) => {
    if (command?.name === 'select') redis.disconnect(true);
  });
}

/** V8 optimizes a prototype once one place in the code has seen its object often: 16 times on Node 20 to 26. */
const OFTEN = 64;

class SomeString extends String {}

const ask = (text: SomeString) => text.charCodeAt(0);

/**
 * Makes string methods as fast as in a process without ioredis. ioredis declares a class that extends String
 * (resp/verbatim-string.js). V8 then turns String.prototype into a dictionary, and looks up each method at each call:
 * `charCodeAt` takes five times as long (bench/speed-tried.md; also seen in inikulin/parse5#1348). V8 undoes that when
 * code uses an object of the class, which ioredis never creates under RESP2.
 */
export function restoreFastStrings(): void {
  const some = new SomeString('x');
  for (let i = 0; i < OFTEN; i++) ask(some);
}
