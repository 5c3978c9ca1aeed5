import { createMailboxes, type Mailboxes } from '@sluice/outbound/queue/mailboxes';
import type { PublishedSubscription } from '@sluice/outbound/queue/published-subscription';
import type { PushedChange } from '@sluice/outbound/queue/push';
import {
  createSubscriptionDirectory,
  type SubscriptionDirectory,
} from '@sluice/outbound/queue/subscription-directory';
import { INITIAL_STATE, type MailboxState, type Result, type Turn } from '@sluice/outbound/queue/turn';
import type { Keyspace } from '@sluice/redis/keyspace';
import { createShards, type Shards } from '@sluice/redis/shards/shards';
import { Redis } from 'ioredis';
import { sharedRedisUrl, uniqueNamespace } from '../../../support/shared-redis.ts';

export const ACCOUNT = 'acc_1';

export function subscription(overrides: Partial<PublishedSubscription> = {}): PublishedSubscription {
  return {
    subscription_id: 'sub_1',
    account_id: ACCOUNT,
    version: 1,
    kind: 'webhook',
    target_url: 'https://example.com/hook',
    secrets: [{ sealed: 'sealed', expires_at: null }],
    ordered: false,
    events: ['*'],
    filter: {},
    created_at: 0,
    paused: null,
    key_expires_at: null,
    ephemeral_until: null,
    give_up_after_ms: null,
    ...overrides,
  };
}

/** A change of a record, for subscriptions. */
export function change(
  changeId: string,
  { recordId = `rec_${changeId}`, to = ['sub_1'] }: { recordId?: string; to?: readonly string[] } = {},
): PushedChange {
  return {
    changeId,
    text: `text of ${changeId}`,
    kind: 'lead.created',
    recordId,
    at: 1_790_000_000_000,
    to: to.map((subscriptionId) => ({ subscriptionId, messageId: `msg_${changeId}_${subscriptionId}` })),
  };
}

export const changeIds = ({ entries }: { readonly entries: readonly { readonly changeId: string }[] }) =>
  entries.map(({ changeId }) => changeId);

export const done = ({ entries }: Pick<Turn, 'entries'>): Result[] =>
  entries.map(({ number }) => ({ number, outcome: 'done' }));

/** The mailboxes and the directory on the shared Redis, in one shard and a separate namespace for each test. */
export function useMailboxes() {
  let redis: Redis;
  let shards: Shards;
  let keyspace: Keyspace;
  let mailboxes: Mailboxes;
  let directory: SubscriptionDirectory;
  let unpublished: string[];
  let unreadable: string[];

  before(() => {
    redis = new Redis(sharedRedisUrl());
  });
  beforeEach(() => {
    shards = createShards(uniqueNamespace(), 1);
    unpublished = [];
    unreadable = [];
    keyspace = shards.first;
    directory = createSubscriptionDirectory({ redis, shards });
    mailboxes = createMailboxes({
      ...{ redis, shards },
      onUnpublished: (accountId) => unpublished.push(accountId),
      onUnreadable: ({ message }) => unreadable.push(message),
    });
  });
  after(() => redis?.disconnect());

  /** Publishes all subscriptions of the account. */
  const publishAll = (...put: PublishedSubscription[]) =>
    directory.republish(ACCOUNT, async () => ({ put, wantsEvents: false }));

  /** Publishes a change of some subscriptions. */
  const publish = async (...put: PublishedSubscription[]) =>
    directory.publish(ACCOUNT, await directory.fence(ACCOUNT), { put, remove: [], wantsEvents: false });

  const version = async (): Promise<string> => {
    const found = await directory.version(ACCOUNT);
    if (found.status !== 'version') throw new Error(`the list is ${found.status}`);
    return found.version;
  };
  const push = async (...changes: PushedChange[]) => mailboxes.push(ACCOUNT, await version(), changes);
  const claim = (limit = 10, perTurn = 10) => mailboxes.claim({ shard: 0, limit, perTurn });
  const claimOne = async (perTurn = 10): Promise<Turn> => {
    const [turn] = await claim(1, perTurn);
    if (turn === undefined) throw new Error('nothing is due');
    return turn;
  };
  const settle = (turn: Turn, results: readonly Result[], more = 0, state: Partial<MailboxState> = {}) =>
    mailboxes.settle(turn, { results, state: { ...INITIAL_STATE, ...state }, more });
  /** The turn's 10 s are over: its dispatcher has frozen or died. */
  const loseTurn = (id = 'sub_1') => redis.zadd(keyspace.turns, 0, id);

  return {
    redis: () => redis,
    shards: () => shards,
    keyspace: () => keyspace,
    mailboxes: () => mailboxes,
    directory: () => directory,
    unpublished: () => unpublished,
    unreadable: () => unreadable,
    publishAll,
    publish,
    version,
    push,
    claim,
    claimOne,
    settle,
    loseTurn,
  };
}
