/** Makes a key of the parts that follow the prefix. */
type MakeKey = (name: string, ...rest: (string | number)[]) => string;

/** Every Redis key but those of BullMQ. Scripts make some of them in Lua, from the same names. */
function keysOf(key: MakeKey) {
  return {
    /** String, in shard 0 only: the number of shards (see shard-count.ts). */
    shardCount: key('shards'),
    /** String, in shard 0 only: the claim of the process that changes their number (see shard-count.ts). */
    shardChange: key('shards-change'),
    /** String, in shard 0 only: the claim of the command that reseals all secrets (see claim.ts). */
    reseal: key('reseal'),
    /** String: the account of a source, if there is more than one shard (see sharded-directory.ts). */
    accountOf: (sourceId: string) => key('account-of', sourceId),
    /** Hash: the source as last published, its fence, its last sequence number and its rate (see admit.lua.ts). */
    source: (sourceId: string) => key('source', sourceId),
    /** Hash: first 16 hex digits of a signature and the source's id -> sequence number, for one second of signed timestamps. */
    seen: (timestamp: string) => key('seen', timestamp),
    /** Counter: accepted upserts of an account in a month such as `2026-11`. */
    planUse: (accountId: string, month: string) => key('plan', accountId, month),
    /** Counter: rejected unverified requests of a source in a minute. Only the admission script uses it. */
    unverified: (sourceId: string, minute: string | number) => key('unverified', sourceId, minute),
    /** Counter: requests of a source that its mapping has ignored in a minute. Only the admission script uses it. */
    ignored: (sourceId: string, minute: string | number) => key('ignored', sourceId, minute),
    /** Counter: bad signatures of a client address in a minute. */
    badSignatures: (address: string, minute: string | number) => key('bad-signatures', address, minute),
    /** Hash: problem code -> rejected requests without a row in the log, of one source in one minute. */
    folded: (sourceId: string, minute: string | number) => key('folded', sourceId, minute),
    /** Sorted set by minute: `<source>|<account>|<minute>` of every `folded` hash not yet in the delivery log. */
    foldedIndex: key('folded'),
    /** String: GCRA's theoretical arrival time (us) of any other limit: API keys, sign-ins (see rate-limiter.ts). */
    limit: (what: string, who: string) => key('limit', what, who),
    /** Hash: counters of an account, a source, an API key or the installation in an hour or a day (see activity.ts). */
    activity: (scope: string, span: string) => key('activity', scope, span),
    /** HyperLogLog: the client addresses that used an API key in an hour; it counts them and cannot name them (see activity.ts). */
    clients: (scope: string, span: string) => key('clients', scope, span),
    /** Hash: source id -> when its last delivery was received. */
    lastDelivery: key('last-delivery'),
    /** Hash: replica id -> its last heartbeat (see replicas.ts). */
    replicas: key('replicas'),
    /** Channel, in shard 0 only: results of requests whose senders wait at this ingress (contract: action-result.ts). */
    results: (ingressId: string) => key('results', ingressId),
    /** Hash: the nonce of an account's list of subscriptions, and its fences (see packages/outbound). */
    subscriptions: (accountId: string) => key('subscriptions', accountId),
    /** Sorted set: account -> when the last fence of its list of subscriptions ends (ms). */
    fenced: key('fenced'),
    /** String: the run of Redis and the number of shards for which all accounts of the shard were published (log/publish-lost.ts). */
    published: key('published'),
    /** String: the claim of the process that publishes them (see claim.ts). */
    publishing: key('publishing'),
    /** String, in shard 0 only, for a minute at most: what `sluice doctor` writes and deletes. */
    doctor: key('doctor'),
    /** Set: the subscriptions of an account that are published. */
    subscriptionIds: (accountId: string) => key('subscription-ids', accountId),
    /** Hash: a subscription as published, its turn and its cursor. */
    mailbox: (subscriptionId: string) => key('mailbox', subscriptionId),
    /** Stream: messages for a connected program, which reads them in place of a URL (see packages/outbound/src/queue/streams.ts). */
    messageStream: (subscriptionId: string) => key('message-stream', subscriptionId),
    /** Sorted set: subscription -> the bytes of its stream, of the streams of an account. */
    messageStreams: (accountId: string) => key('message-streams', accountId),
    /** Hash: the last number of an account's log of changes, and how many batches were confirmed (log/account-log.lua.ts). */
    accountLog: (accountId: string) => key('log', accountId),
    /** Sorted set: `first:count` of a batch of numbers whose changes are being inserted -> when it is given up (ms). */
    openBatches: (accountId: string) => key('log-open', accountId),
    /** Sorted set: `first:count` of a batch that was not confirmed in time -> when this was noted (ms). */
    givenUpBatches: (accountId: string) => key('log-given-up', accountId),
    /** Set: the subscriptions of an account that have read its log to the end. A confirmed batch makes them due. */
    idleCursors: (accountId: string) => key('idle-cursors', accountId),
    /** Sorted set: subscription -> when its cursor is due, or when its turn is lost (ms). */
    cursors: key('cursors'),
    /** List of at most one element: an idle dispatcher waits for it. */
    turnsWake: key('turns-wake'),
  };
}

/**
 * The keys of one shard. The hash tag keeps them in one slot of a Redis Cluster, so that one script can touch them together.
 * BullMQ's queues use the same tag as prefix.
 */
export interface Keyspace extends Readonly<ReturnType<typeof keysOf>> {
  /** The start of every key, and BullMQ's `prefix`. */
  readonly prefix: string;
  /** The text in the braces of the prefix. It decides the slot in a Redis Cluster. */
  readonly tag: string;
}

/** Names the keys of one installation (`namespace`) in one shard. */
export function createKeyspace(namespace: string, shard = 0): Keyspace {
  const tag = `${namespace}:${shard}`;
  const prefix = `{${tag}}`;
  return { prefix, tag, ...keysOf((...parts) => `${prefix}:${parts.join(':')}`) };
}

/** The same keys as Lua expressions. Their arguments are Lua expressions too. */
export type LuaKeys = ReturnType<typeof keysOf>;

/** Names keys inside of a Lua script. `prefix` is a Lua expression for the keyspace's prefix. */
export function luaKeys(prefix: string): LuaKeys {
  return keysOf((name, ...variables) =>
    variables.length === 0
      ? `${prefix} .. ':${name}'`
      : `${prefix} .. ':${name}:' .. ${variables.join(" .. ':' .. ")}`,
  );
}
