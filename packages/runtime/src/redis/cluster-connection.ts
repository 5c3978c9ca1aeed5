import { type Callback, Cluster, type ClusterOptions } from 'ioredis';
import type { Options, RedisRole } from './connection-options.ts';
import type { RedisAddress } from './redis-address.ts';

/** Between two tries of a command whose server went away or does not have its slot any more. */
const RETRY_MS = 100;

/**
 * A connection to a server that froze is given up by its time-outs; that another took over is found out by looking. A look
 * is a connection of its own and some milliseconds of CPU, so one of a process's connections looks for all (`beside`).
 */
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
  /** A connection to the same Cluster that looks for this one too. */
  readonly beside?: Cluster | undefined;
}

/** Connects to a Cluster by the nodes that are named, and to the others by what those say. */
export function connectCluster({ address, role, options, reconnectDelay, beside }: ClusterSettings): Cluster {
  const { nodes, username, password, tls } = address;
  const cluster = new SharingCluster([...nodes], {
    ...ROLE_OPTIONS[role],
    retryDelayOnClusterDown: RETRY_MS,
    slotsRefreshInterval: beside === undefined ? LOOK_AT_SLOTS_MS : 0,
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
  if (beside instanceof SharingCluster) beside.lookFor(cluster);
  return cluster;
}

/**
 * Has others look at the slots when it has seen that one is served by another server than before.
 *
 * Knows of each slot by itself who serves it. In ioredis 6 all slots of a run share one list of servers, and a slot that
 * has moved took the whole run along until the next look: shards that had not moved were looked for at the wrong server.
 *
 * Looks no more once it was closed. ioredis 6 stops its timer then, but where a look is under way at that moment it starts
 * the timer again at its end: the process would never end by itself.
 */
class SharingCluster extends Cluster {
  // Not a #private: the constructor of Cluster connects, before this class has its fields.
  private closed = false;
  private readonly others = new Set<SharingCluster>();

  /** Looks for `other` too, for as long as that is open. */
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

/** Which server serves which slots, as text: the first slot of each run, and its server. */
function ownersOf({ slots }: Cluster): string {
  return slots
    .flatMap(([owner], slot) => (owner === slots[slot - 1]?.[0] ? [] : [`${slot} ${owner}`]))
    .join();
}
