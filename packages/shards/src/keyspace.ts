/**
 * Every Redis key of our own, in one place. The hash tag keeps all of a shard's keys in one slot of a
 * Redis Cluster, which is what lets one script touch them together. BullMQ's queues use the same tag as prefix.
 */
export interface Keyspace {
  /** What every key starts with; also BullMQ's `prefix`. */
  readonly prefix: string;
  /** What is in the braces of the prefix: the slot of a Redis Cluster is made of it. */
  readonly tag: string;
  /** String, in shard 0 only: how many shards there are (see shard-count.ts). */
  readonly shardCount: string;
  /** String, in shard 0 only: who is changing their number just now (see shard-count.ts). */
  readonly shardChange: string;
  /** String: the account of a source, where there is more than one shard (see sharded-directory.ts). */
  accountOf(sourceId: string): string;
  /** Hash: the source as last published, its fence, its last sequence number and its rate (see admit.lua.ts). */
  source(sourceId: string): string;
  /** Hash: first 16 hex digits of a signature and the source's id -> sequence number, for one second of signed timestamps. */
  seen(timestamp: string): string;
  /** Counter: accepted upserts of an account in a month such as `2026-11`. */
  planUse(accountId: string, month: string): string;
  /** Counter: refused unverified requests of a source in a minute. */
  unverified(sourceId: string, minute: number): string;
  /** Counter: bad signatures of a client address in a minute. */
  badSignatures(address: string, minute: number): string;
  /** Hash: problem code -> refusals that got no row of their own, of one source in one minute. */
  folded(sourceId: string, minute: number): string;
  /** Sorted set by minute: `<source>|<account>|<minute>` of every `folded` hash not yet in the delivery log. */
  readonly foldedIndex: string;
  /** GCRA's theoretical arrival time (us) of whatever else is limited: API keys, sign-ins (see rate-limiter.ts). */
  limit(what: string, who: string): string;
  /** Stream: the rows of an account's delivery log as they are written (see live-deliveries.ts). */
  live(accountId: string): string;
  /** String, for a minute: somebody watches the account's delivery log (see live-deliveries.ts). */
  watched(accountId: string): string;
  /** Stream: users whose sessions or roles have changed, for open live streams (see access-changes.ts). */
  readonly accessChanges: string;
  /** Hash: counters of an account, a source, an API key or the installation in an hour or a day (see activity.ts). */
  activity(scope: string, span: string): string;
  /** HyperLogLog: the client addresses that used an API key in an hour; it counts them and cannot name them (see activity.ts). */
  clients(scope: string, span: string): string;
  /** Hash: source id -> when its last delivery was received. */
  readonly lastDelivery: string;
  /** Hash: replica id -> what it said of itself last (see replicas.ts). */
  readonly replicas: string;
}

/** Names the keys of one installation (`namespace`) in one shard. */
export function createKeyspace(namespace: string, shard = 0): Keyspace {
  const tag = `${namespace}:${shard}`;
  const prefix = `{${tag}}`;
  return {
    prefix,
    tag,
    shardCount: `${prefix}:shards`,
    shardChange: `${prefix}:shards-change`,
    accountOf: (sourceId) => `${prefix}:account-of:${sourceId}`,
    source: (sourceId) => `${prefix}:source:${sourceId}`,
    seen: (timestamp) => `${prefix}:seen:${timestamp}`,
    planUse: (accountId, month) => `${prefix}:plan:${accountId}:${month}`,
    unverified: (sourceId, minute) => `${prefix}:unverified:${sourceId}:${minute}`,
    badSignatures: (address, minute) => `${prefix}:bad-signatures:${address}:${minute}`,
    folded: (sourceId, minute) => `${prefix}:folded:${sourceId}:${minute}`,
    foldedIndex: `${prefix}:folded`,
    limit: (what, who) => `${prefix}:limit:${what}:${who}`,
    live: (accountId) => `${prefix}:live:${accountId}`,
    watched: (accountId) => `${prefix}:watched:${accountId}`,
    accessChanges: `${prefix}:access-changes`,
    activity: (scope, span) => `${prefix}:activity:${scope}:${span}`,
    clients: (scope, span) => `${prefix}:clients:${scope}:${span}`,
    lastDelivery: `${prefix}:last-delivery`,
    replicas: `${prefix}:replicas`,
  };
}
