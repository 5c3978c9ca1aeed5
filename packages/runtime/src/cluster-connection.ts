import { type Callback, Cluster, type ClusterOptions } from 'ioredis';
import type { RedisAddress } from './redis-address.ts';
import type { Options, RedisRole } from './redis-connection.ts';

/** Between two tries of a command whose server went away or does not have its slot any more. */
const RETRY_MS = 100;

/** A connection to a server that froze is given up by its time-outs; that another took over is found out by looking. */
const LOOK_AT_SLOTS_MS = 2000;

/** The Cluster's own options; those of `redisOptions` hold for the connection to each of its servers. */
const ROLE_OPTIONS: Record<RedisRole, ClusterOptions> = {
  request: {
    enableOfflineQueue: false,
    // A moved slot is followed. What a server that went away may have done is not done again by its successor, which may
    // have missed what was decided before (a rotated secret): the sender is told.
    maxRedirections: 3,
    retryDelayOnFailover: 0,
  },
  // Work waits for as long as a failover takes.
  worker: {
    maxRedirections: Number.MAX_SAFE_INTEGER,
    retryDelayOnMoved: RETRY_MS,
    retryDelayOnFailover: RETRY_MS,
  },
};

export interface ClusterSettings {
  readonly address: Extract<RedisAddress, { kind: 'cluster' }>;
  readonly role: RedisRole;
  readonly options: Options;
  readonly reconnectDelay: (attempt: number) => number;
}

/** Connects to a Cluster by the nodes that are named, and to the others by what those say. */
export function connectCluster({ address, role, options, reconnectDelay }: ClusterSettings): Cluster {
  const { nodes, username, password, tls } = address;
  return new EndingCluster([...nodes], {
    ...ROLE_OPTIONS[role],
    retryDelayOnClusterDown: RETRY_MS,
    slotsRefreshInterval: LOOK_AT_SLOTS_MS,
    clusterRetryStrategy: reconnectDelay,
    // A certificate is made out to a name, not to what it resolves to.
    ...(tls && { dnsLookup: (host, found) => found(null, host) }),
    redisOptions: {
      ...options,
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      ...(tls && { tls: {} }),
    },
  });
}

/**
 * Looks at the slots no more once it was closed. ioredis 6 stops its timer then, but where a look is under way at that
 * moment it starts the timer again at its end: the process would never end by itself.
 */
class EndingCluster extends Cluster {
  // Not a #private: the constructor of Cluster connects, before this class has its fields.
  private closed = false;

  override connect(): Promise<void> {
    this.closed = false;
    return super.connect();
  }

  override disconnect(reconnect = false): void {
    this.closed ||= !reconnect;
    super.disconnect(reconnect);
  }

  override refreshSlotsCache(callback?: Callback<void>): void {
    if (!this.closed) super.refreshSlotsCache(callback);
  }
}
