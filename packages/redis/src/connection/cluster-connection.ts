import type { RedisAddress } from '@sluice/runtime/config/redis-address';
import { type Callback, Cluster, type ClusterOptions } from 'ioredis';
import type { Options, RedisRole } from './connection-options.ts';

/** The pause before a retry of a command whose server went away or no longer has the slot. */
const RETRY_MS = 100;

/**
 * Timeouts give up a connection to a frozen server. Only a look at the slots shows that another server took over. A look opens
 * a connection and uses some milliseconds of CPU, so one connection of a process looks for all (`beside`).
 */
const LOOK_AT_SLOTS_MS = 2000;

/** Work waits until the failover is over. */
const WORKER: ClusterOptions = {
  maxRedirections: Number.MAX_SAFE_INTEGER,
  retryDelayOnMoved: RETRY_MS,
  retryDelayOnFailover: RETRY_MS,
};

/** The options of the Cluster. `redisOptions` are those of the connection to each of its servers. */
const ROLE_OPTIONS: Record<RedisRole, ClusterOptions> = {
  request: {
    enableOfflineQueue: false,
    // A command follows a moved slot. It is not repeated when a server went away: the server may have executed it, and its
    // successor may lack an earlier change, such as a rotated secret. The sender gets the error.
    maxRedirections: 3,
    retryDelayOnFailover: 0,
  },
  worker: WORKER,
  subscriber: WORKER,
};

export interface ClusterSettings {
  readonly address: Extract<RedisAddress, { kind: 'cluster' }>;
  readonly role: RedisRole;
  readonly options: Options;
  readonly reconnectDelay: (attempt: number) => number;
  /** A connection to the same Cluster that looks at the slots for this one too. */
  readonly beside?: Cluster | undefined;
}

/** Connects to a Cluster through the named nodes, which name the others. */
export function connectCluster({ address, role, options, reconnectDelay, beside }: ClusterSettings): Cluster {
  const { nodes, username, password, tls } = address;
  const cluster = new SharingCluster([...nodes], {
    ...ROLE_OPTIONS[role],
    retryDelayOnClusterDown: RETRY_MS,
    slotsRefreshInterval: beside === undefined ? LOOK_AT_SLOTS_MS : 0,
    clusterRetryStrategy: reconnectDelay,
    // A certificate belongs to a name, not to the address behind it.
    ...(tls && { dnsLookup: (host, found) => found(null, host) }),
    redisOptions: {
      ...options,
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      ...(tls && { tls: {} }),
    },
  });
  if (beside instanceof SharingCluster) beside.lookFor(cluster);
  return cluster;
}

/**
 * A Cluster connection that shares its looks at the slots. When a slot has moved, the other connections look too.
 *
 * It keeps the servers of each slot separately. In ioredis 6 all slots of a range share one list of servers. A slot that moved
 * changed the whole range until the next look, and shards that had not moved were sought at the wrong server.
 *
 * It stops looking once it is closed. ioredis 6 stops its timer then, but a look under way restarts the timer when it ends:
 * the process would never exit.
 */
class SharingCluster extends Cluster {
  // Not a #private field: the constructor of Cluster connects before this class has its fields.
  private closed = false;
  private readonly others = new Set<SharingCluster>();

  /** Looks at the slots for `other` too, while that is open. */
  lookFor(other: SharingCluster): void {
    if (this.others.size === 0) this.shareMoves();
    this.others.add(other);
    other.once('end', () => this.others.delete(other));
  }

  private shareMoves(): void {
    let known = ownersOf(this);
    this.on('refresh', () => {
      const owners = ownersOf(this);
      if (owners === known) return;
      known = owners;
      for (const other of this.others) other.refreshSlotsCache();
    });
  }

  override connect(): Promise<void> {
    this.closed = false;
    return super.connect();
  }

  override disconnect(reconnect = false): void {
    this.closed ||= !reconnect;
    super.disconnect(reconnect);
  }

  override handleError(...[error, redirections, handlers]: Parameters<Cluster['handleError']>): void {
    const moved = (slot: string, key: string): void => {
      const servers = this.slots[Number(slot)];
      if (servers !== undefined) this.slots[Number(slot)] = [...servers];
      handlers.moved(slot, key);
    };
    super.handleError(error, redirections, { ...handlers, moved });
  }

  override refreshSlotsCache(callback?: Callback<void>): void {
    if (!this.closed) super.refreshSlotsCache(callback);
  }
}

/** The owner of each slot, as text: the first slot of each range, and its server. */
function ownersOf({ slots }: Cluster): string {
  return slots
    .flatMap(([owner], slot) => (owner === slots[slot - 1]?.[0] ? [] : [`${slot} ${owner}`]))
    .join();
}
