/**
 * Every Redis key but those of BullMQ. The hash tag keeps all keys of a shard in one slot of a Redis Cluster, so that one
 * script can touch them together. BullMQ's queues use the same tag as prefix.
 */
export interface Keyspace {
  /** The start of every key, and BullMQ's `prefix`. */
  readonly prefix: string;
  /** The text in the braces of the prefix. It decides the slot in a Redis Cluster. */
  readonly tag: string;
  /** String, in shard 0 only: the number of shards (see shard-count.ts). */
  readonly shardCount: string;
  /** String, in shard 0 only: the claim of the process that changes their number (see shard-count.ts). */
  readonly shardChange: string;
  /** String, in shard 0 only: the claim of the command that reseals all secrets (see claim.ts). */
  readonly reseal: string;
  /** String: the account of a source, if there is more than one shard (see sharded-directory.ts). */
  accountOf(sourceId: string): string;
  /** Hash: the source as last published, its fence, its last sequence number and its rate (see admit.lua.ts). */
  source(sourceId: string): string;
  /** Hash: first 16 hex digits of a signature and the source's id -> sequence number, for one second of signed timestamps. */
  seen(timestamp: string): string;
  /** Counter: accepted upserts of an account in a month such as `2026-11`. */
  planUse(accountId: string, month: string): string;
  /** Counter: bad signatures of a client address in a minute. */
  badSignatures(address: string, minute: number): string;
  /** Hash: problem code -> rejected requests without a row in the log, of one source in one minute. */
  folded(sourceId: string, minute: number): string;
  /** Sorted set by minute: `<source>|<account>|<minute>` of every `folded` hash not yet in the delivery log. */
  readonly foldedIndex: string;
  /** String: GCRA's theoretical arrival time (us) of any other limit: API keys, sign-ins (see rate-limiter.ts). */
  limit(what: string, who: string): string;
  /** Stream: new rows of an account's delivery log (see live-deliveries.ts). */
  live(accountId: string): string;
  /** String, for a minute: a page shows the account's delivery log (see live-deliveries.ts). */
  watched(accountId: string): string;
  /** Stream: users whose sessions or roles have changed, for open live streams (see access-changes.ts). */
  readonly accessChanges: string;
  /** Hash: counters of an account, a source, an API key or the installation in an hour or a day (see activity.ts). */
  activity(scope: string, span: string): string;
  /** HyperLogLog: the client addresses that used an API key in an hour; it counts them and cannot name them (see activity.ts). */
  clients(scope: string, span: string): string;
  /** Hash: source id -> when its last delivery was received. */
  readonly lastDelivery: string;
  /** Hash: replica id -> its last heartbeat (see replicas.ts). */
  readonly replicas: string;
  /** Channel, in shard 0 only: results of requests whose senders wait at this ingress (contract: told-result.ts). */
  results(ingressId: string): string;
  /** Channel, in shard 0 only: results of duplicates, for the ingress that got them. */
  readonly duplicates: string;
  /** Hash: the nonce of an account's list of subscriptions, and its fences (see packages/mailboxes). */
  subscriptions(accountId: string): string;
  /** Sorted set: account -> when the last fence of its list of subscriptions ends (ms). */
  readonly fenced: string;
  /** Set: the subscriptions of an account that have a mailbox. */
  subscriptionIds(accountId: string): string;
  /** String: the run of Redis and 1 or 0, whether a subscription of the account asks for events. */
  subscribed(accountId: string): string;
  /** Hash: a subscription as published, its turn and the state of its receiver. */
  mailbox(subscriptionId: string): string;
  /** List: entries of a mailbox that were never attempted, by number. */
  mailboxNew(subscriptionId: string): string;
  /** Sorted set by due time (ms): entries to attempt again. */
  mailboxRetry(subscriptionId: string): string;
  /** Hash: number -> entry that the current turn attempts. */
  mailboxTaken(subscriptionId: string): string;
  /** Hash: id of a change -> its number in the mailbox, until the change is cleared. */
  mailboxIds(subscriptionId: string): string;
  /** Hash, of ordered mailboxes: record -> number of the one entry of it that may be attempted. */
  mailboxHeads(subscriptionId: string): string;
  /** Sorted set, of ordered mailboxes: entries behind the head of their record, by record and number. */
  mailboxHeld(subscriptionId: string): string;
  /** List: the newest entries of a mailbox whose older ones have gone over into MongoDB. */
  mailboxTail(subscriptionId: string): string;
  /** List: entries that were discarded and are not yet in the log. */
  mailboxDiscarded(subscriptionId: string): string;
  /** Set: `<account> <subscription>` of every such list. */
  readonly discarding: string;
  /** Stream: messages for a connected program, which reads them in place of a URL (see packages/mailboxes/src/streams.ts). */
  messageStream(subscriptionId: string): string;
  /** String, for 10 minutes: the text of a change. */
  change(changeId: string): string;
  /** Sorted set: subscription -> when its mailbox is due, or when its turn is lost (ms). */
  readonly turns: string;
  /** String: the latest time of Redis at which turns were claimed (ms), to notice that its clock was set back. */
  readonly turnsClock: string;
  /** List of at most one element: an idle dispatcher waits for it. */
  readonly turnsWake: string;
}

/** Makes a key of the parts that follow the prefix. */
type MakeKey = (name: string, ...rest: (string | number)[]) => string;

/** The names of all keys. Scripts make some of them in Lua, from the same names. */
function keysOf(key: MakeKey) {
  return {
    shardCount: key('shards'),
    shardChange: key('shards-change'),
    reseal: key('reseal'),
    accountOf: (sourceId: string) => key('account-of', sourceId),
    source: (sourceId: string) => key('source', sourceId),
    seen: (timestamp: string) => key('seen', timestamp),
    planUse: (accountId: string, month: string) => key('plan', accountId, month),
    /** Counter: rejected unverified requests of a source in a minute. Only the admission script uses it. */
    unverified: (sourceId: string, minute: string | number) => key('unverified', sourceId, minute),
    badSignatures: (address: string, minute: string | number) => key('bad-signatures', address, minute),
    folded: (sourceId: string, minute: string | number) => key('folded', sourceId, minute),
    foldedIndex: key('folded'),
    limit: (what: string, who: string) => key('limit', what, who),
    live: (accountId: string) => key('live', accountId),
    watched: (accountId: string) => key('watched', accountId),
    accessChanges: key('access-changes'),
    activity: (scope: string, span: string) => key('activity', scope, span),
    clients: (scope: string, span: string) => key('clients', scope, span),
    lastDelivery: key('last-delivery'),
    replicas: key('replicas'),
    results: (ingressId: string) => key('results', ingressId),
    duplicates: key('duplicates'),
    subscriptions: (accountId: string) => key('subscriptions', accountId),
    fenced: key('fenced'),
    subscriptionIds: (accountId: string) => key('subscription-ids', accountId),
    subscribed: (accountId: string) => key('subscribed', accountId),
    mailbox: (subscriptionId: string) => key('mailbox', subscriptionId),
    mailboxNew: (subscriptionId: string) => key('mailbox-new', subscriptionId),
    mailboxRetry: (subscriptionId: string) => key('mailbox-retry', subscriptionId),
    mailboxTaken: (subscriptionId: string) => key('mailbox-taken', subscriptionId),
    mailboxIds: (subscriptionId: string) => key('mailbox-ids', subscriptionId),
    mailboxHeads: (subscriptionId: string) => key('mailbox-heads', subscriptionId),
    mailboxHeld: (subscriptionId: string) => key('mailbox-held', subscriptionId),
    mailboxTail: (subscriptionId: string) => key('mailbox-tail', subscriptionId),
    mailboxDiscarded: (subscriptionId: string) => key('mailbox-discarded', subscriptionId),
    discarding: key('discarding'),
    messageStream: (subscriptionId: string) => key('message-stream', subscriptionId),
    change: (changeId: string) => key('change', changeId),
    turns: key('turns'),
    turnsClock: key('turns-clock'),
    turnsWake: key('turns-wake'),
  };
}

/** Names the keys of one installation (`namespace`) in one shard. */
export function createKeyspace(namespace: string, shard = 0): Keyspace {
  const tag = `${namespace}:${shard}`;
  const prefix = `{${tag}}`;
  return { prefix, tag, ...keysOf((...parts) => `${prefix}:${parts.join(':')}`) };
}

/** The keys that scripts make: Lua expressions, whose arguments are Lua expressions too. */
export type LuaKeys = Pick<
  ReturnType<typeof keysOf>,
  | 'source'
  | 'seen'
  | 'planUse'
  | 'unverified'
  | 'badSignatures'
  | 'folded'
  | 'foldedIndex'
  | 'subscriptions'
  | 'fenced'
  | 'subscriptionIds'
  | 'subscribed'
  | 'mailbox'
  | 'mailboxNew'
  | 'mailboxRetry'
  | 'mailboxTaken'
  | 'mailboxIds'
  | 'mailboxHeads'
  | 'mailboxHeld'
  | 'mailboxTail'
  | 'mailboxDiscarded'
  | 'discarding'
  | 'change'
  | 'turns'
  | 'turnsClock'
  | 'turnsWake'
>;

/** Names keys inside of a Lua script. `prefix` is a Lua expression for the keyspace's prefix. */
export function luaKeys(prefix: string): LuaKeys {
  return keysOf((name, ...variables) =>
    variables.length === 0
      ? `${prefix} .. ':${name}'`
      : `${prefix} .. ':${name}:' .. ${variables.join(" .. ':' .. ")}`,
  );
}
