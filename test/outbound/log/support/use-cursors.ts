import { messageId } from '@sluice/contract/message/outbound-ids';
import {
  createSubscriptionDirectory,
  type SubscriptionDirectory,
} from '@sluice/outbound/directory/subscription-directory';
import { type AccountLog, createAccountLog } from '@sluice/outbound/log/account-log';
import { type AskTurns, createAskTurns } from '@sluice/outbound/log/ask-turns';
import { createLogReader } from '@sluice/outbound/log/log-reader';
import { type CursorTurnsDeps, createCursorTurns } from '@sluice/outbound/log/turns';
import type { PublishedSubscription } from '@sluice/outbound/queue/published-subscription';
import {
  INITIAL_STATE,
  type ReceiverState,
  type Result,
  type Settled,
  type Turn,
  type Turns,
} from '@sluice/outbound/queue/turn';
import type { Keyspace } from '@sluice/redis/keyspace';
import { createShards, type Shards } from '@sluice/redis/shards/shards';
import { connectStore, type Store } from '@sluice/store/connect';
import type { OutboundChange } from '@sluice/store/outbound/outbound-changes';
import { Redis } from 'ioredis';
import { openTestMongo, type TestMongo } from '../../../support/mongo-server.ts';
import { sharedRedisUrl, uniqueNamespace } from '../../../support/shared-redis.ts';
import { subscription as published } from '../../directory/support/use-directory.ts';

/** A subscription of the account of `useCursors`. */
export type Published = Partial<PublishedSubscription>;

/** A change for the log. Its number comes with `append`. */
export const change = (
  change_id: string,
  { record_id = `rec_${change_id}`, ...rest }: Partial<OutboundChange> = {},
): OutboundChange => ({
  ...{
    change_id,
    account_id: '',
    kind: 'lead.created',
    record_id,
    sequence: 1,
    text: `"of":"${change_id}"}`,
  },
  ...{ at: 1_790_000_000_000, ...rest },
});

export const changeIds = ({ entries }: { readonly entries: readonly { readonly changeId: string }[] }) =>
  entries.map(({ changeId }) => changeId);

/** How attempts of a turn end. */
export interface Ended {
  /** Milliseconds until the messages that are named are due again. The others are delivered. */
  readonly failed?: Readonly<Record<string, number>>;
  readonly more?: number;
  readonly state?: Partial<ReceiverState>;
}

/** Ends attempts as a dispatcher does: first their rows, then the turn. */
export async function endAttempts(
  turns: Pick<Turns, 'settle'>,
  store: Pick<Store, 'webhookMessages'>,
  { turn, entries, failed = {}, more = 0, state = {} }: Ended & Pick<Turn, 'entries'> & { turn: Turn },
): Promise<Settled> {
  const { account_id, subscription_id } = turn.subscription;
  await store.webhookMessages.logAttempts(
    entries.map(({ place = 0, changeId: change_id, kind, recordId, pushedAt, attempts }) => ({
      ...{ message_id: messageId(change_id, subscription_id), account_id, subscription_id, change_id },
      ...{ place, kind, record_id: recordId, created_at: pushedAt },
      status: failed[change_id] === undefined ? 'delivered' : 'pending',
      next_attempt_at: failed[change_id] === undefined ? null : Date.now() + failed[change_id],
      attempt: {
        ...{ id: `${turn.token}-${attempts}`, at: Date.now(), duration_ms: 1, code: 'http', status: 500 },
        ...{ sentence: 'It ended.', response: null, redelivery: false },
      },
    })),
  );
  const results = entries.map(({ changeId, number }): Result => {
    const ms = failed[changeId];
    return ms === undefined
      ? { number, outcome: 'done' }
      : { number, outcome: 'again', dueAt: Date.now() + ms };
  });
  return turns.settle(turn, { results, state: { ...INITIAL_STATE, ...state }, more });
}

/** The log, the cursors and the directory of one account: a separate namespace for each test, one database for each file. */
export function useCursors() {
  let mongo: TestMongo;
  let store: Store;
  let redis: Redis;
  let shards: Shards;
  let accountId: string;
  let keyspace: Keyspace;
  let log: AccountLog;
  let turns: Turns;
  let ask: AskTurns;
  let directory: SubscriptionDirectory;
  let unpublished: string[];

  before(async () => {
    redis = new Redis(sharedRedisUrl());
    mongo = await openTestMongo('cursors');
    store = connectStore({ url: mongo.url, namespace: 'unused' });
    await store.opened();
    await store.ensureIndexes();
  });
  beforeEach(async () => {
    // Tests give their changes the same ids.
    await mongo.db.collection('outbound_changes').deleteMany({});
    shards = createShards(uniqueNamespace(), 1);
    keyspace = shards.first;
    accountId = uniqueNamespace('acc');
    unpublished = [];
    const deps = { redis, shards };
    directory = createSubscriptionDirectory(deps);
    log = createAccountLog(deps);
    ask = createAskTurns(deps);
    turns = anotherDispatcher();
  });
  after(async () => {
    redis?.disconnect();
    await store?.close();
    await mongo?.close();
  });

  /** It knows only what the stores know. */
  const anotherDispatcher = (other: Partial<CursorTurnsDeps> = {}): Turns =>
    createCursorTurns({
      ...{ redis, shards, cursors: store.webhookCursors, messages: store.webhookMessages, now: Date.now },
      requests: store.webhookRequests,
      reader: createLogReader(store),
      onUnpublished: (id) => unpublished.push(id),
      onError: (error) => {
        throw error;
      },
      ...other,
    });

  const subscription = (rest: Published = {}): PublishedSubscription =>
    published({ account_id: accountId, subscription_id: `sub_${accountId}`, ...rest });
  /** Publishes all subscriptions of the account. */
  const publishAll = (...put: Published[]) =>
    directory.republish(accountId, async () => ({
      ...{ put: put.map(subscription) },
      lastNumber: await store.outboundChanges.lastNumber(accountId),
    }));
  /** Publishes a change of some subscriptions. */
  const publish = async (...put: Published[]) =>
    directory.publish(accountId, await directory.fence(accountId), {
      ...{ put: put.map(subscription), remove: [] },
    });
  /** Appends changes to the log. Returns the last number. */
  const append = async (...changes: OutboundChange[]): Promise<number> => {
    const registered = await log.register(accountId, changes.length);
    if (registered.status !== 'open') throw new Error(registered.status);
    const { batch, version } = registered;
    const rows = changes.map((one, n) => ({ ...one, account_id: accountId, number: batch.first + n }));
    await store.outboundChanges.appendChanges(rows);
    const { status } = await log.confirm(accountId, version, [batch], []);
    if (status !== 'confirmed') throw new Error(status);
    return batch.first + batch.count - 1;
  };
  const claim = (limit = 10, perTurn = 10) => turns.claim({ shard: 0, limit, perTurn });
  const claimOne = async (perTurn = 10): Promise<Turn> => {
    const [turn] = await claim(1, perTurn);
    if (turn === undefined) throw new Error('nothing is due');
    return turn;
  };

  const settle = (turn: Turn, entries: Turn['entries'], ended: Ended = {}) =>
    endAttempts(turns, store, { turn, entries, ...ended });

  return {
    redis: () => redis,
    shards: () => shards,
    store: () => store,
    keyspace: () => keyspace,
    accountId: () => accountId,
    log: () => log,
    turns: () => turns,
    ask: () => ask(accountId, subscription().subscription_id),
    directory: () => directory,
    unpublished: () => unpublished,
    useAnotherDispatcher: (other?: Partial<CursorTurnsDeps>) => {
      turns = anotherDispatcher(other);
    },
    /** The turn's 10 s are over: its dispatcher has frozen or died. */
    loseTurn: (id = subscription().subscription_id) => redis.zadd(keyspace.cursors, 0, id),
    ...{ subscription, publishAll, publish, append, claim, claimOne, settle },
  };
}
