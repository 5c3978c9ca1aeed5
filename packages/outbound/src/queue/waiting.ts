import type { OverflowPage, OverflowStore } from '@sluice/contract/subscription/mailbox-overflow';
import type { MessageStatus } from '@sluice/contract/subscription/webhook-delivery';
import type { Keyspace } from '@sluice/redis/keyspace';
import type { Shards } from '@sluice/redis/shards/shards';
import { withScripts } from '@sluice/redis/with-scripts';
import type { ChangeHead } from '@sluice/store/outbound/outbound-changes';
import type { Redis } from 'ioredis';
import { readEntry } from './entry.ts';
import { type RangeReply, readRange } from './overflow.ts';
import { type Entry, INITIAL_STATE, type MailboxState } from './turn.ts';
import { LIST, LIST_UNATTEMPTED, STATUS, TOTALS, WAITING_MESSAGES } from './waiting.lua.ts';

export interface MailboxStatus {
  readonly subscriptionId: string;
  /** Messages that are neither delivered nor finally failed. */
  readonly waiting: number;
  /** How many of them a dispatcher attempts now. */
  readonly attempting: number;
  /** When the oldest of them was pushed, in milliseconds since the Unix epoch by Redis's clock. */
  readonly waitingSince: number | null;
  /** When one of them is due, by the same clock; null without one, during a turn, and while paused. */
  readonly nextDueAt: number | null;
  readonly state: MailboxState;
}

export interface WaitingTotals {
  /** Messages that are neither delivered nor finally failed. */
  readonly waiting: number;
  /** Subscriptions whose messages wait, and whose receiver has accepted none since a failure. Not those marked as failing. */
  readonly retrying: number;
}

/** Whether the message of a change waits. `status`: of its row, if it has one. */
export type IsWaiting = (change: ChangeHead, messageId: string, status: MessageStatus | undefined) => boolean;

export interface Waiting {
  /** Counts what waits in a shard, without paused subscriptions, streams and replies. It reads each mailbox with something waiting. */
  countWaiting(shard: number): Promise<WaitingTotals>;
  /** One for each mailbox that exists, in the given order. */
  status(accountId: string, subscriptionIds: readonly string[]): Promise<MailboxStatus[]>;
  /** Messages that wait, by number. `after` is the number of the last one of the previous page, or 0. */
  list(
    accountId: string,
    subscriptionId: string,
    page: { readonly after: number; readonly limit: number },
  ): Promise<Entry[]>;
  /**
   * Messages without an attempt, the latest first, by `pushedAt` and `messageId`. `before` is the last one of the previous page.
   * In an ordered or failing mailbox with over 10,000 waiting messages, some may be left out.
   */
  listUnattempted(
    accountId: string,
    subscriptionId: string,
    page: { readonly before?: Pick<Entry, 'pushedAt' | 'messageId'> | undefined; readonly limit: number },
  ): Promise<Entry[]>;
  /** Knows which messages wait; undefined if they are more than `most`. A script reads all of them at once. */
  waitingMessages(accountId: string, subscriptionId: string, most: number): Promise<IsWaiting | undefined>;
  /** Deletes the texts of erased changes. Their entries stay, and their turn finds no text. */
  eraseChanges(accountId: string, changeIds: readonly string[]): Promise<void>;
}

type StatusReply = [number, number, string, string, string | null] | null;

/** The messages in Redis, and the range of the others in MongoDB at the same time. */
type InRedis = [found: string[], range: RangeReply];

interface WaitingCommands {
  sluiceMailboxStatus(turns: string, prefix: string, ...subscriptions: string[]): Promise<StatusReply[]>;
  sluiceMailboxTotals(
    turns: string,
    prefix: string,
    first: number,
    last: number,
  ): Promise<[number, number, number]>;
  sluiceMailboxList(mailbox: string, ...args: (string | number)[]): Promise<string[]>;
  sluiceMailboxUnattempted(mailbox: string, ...args: (string | number)[]): Promise<InRedis>;
  sluiceMailboxMessages(mailbox: string, ...args: (string | number)[]): Promise<InRedis | null>;
}

const DELETED_AT_ONCE = 500;
/** Mailboxes that a script counts. A longer one would delay other commands. */
const COUNTED_AT_ONCE = 500;

export function createWaiting({
  redis,
  shards,
  overflowStore,
}: {
  redis: Redis;
  shards: Shards;
  overflowStore?: OverflowStore | undefined;
}): Waiting {
  const commands = withScripts<WaitingCommands>(redis, {
    sluiceMailboxStatus: STATUS,
    sluiceMailboxTotals: TOTALS,
    sluiceMailboxList: LIST,
    sluiceMailboxUnattempted: LIST_UNATTEMPTED,
    sluiceMailboxMessages: WAITING_MESSAGES,
  });
  /** Those of a range that Redis named before. Rows stay after their entries have come back to Redis, so none is missed. */
  const rowsOf = async (reply: RangeReply, page: Omit<OverflowPage, 'era' | 'from' | 'to'>) => {
    const range = readRange(reply);
    return range === undefined ? [] : ((await overflowStore?.newestRows({ ...page, ...range })) ?? []);
  };
  return {
    async status(accountId, subscriptionIds) {
      const { turns, prefix } = shards.of(accountId);
      const found = await commands.sluiceMailboxStatus(turns, prefix, ...subscriptionIds);
      return subscriptionIds.flatMap((id, index) => readStatus(id, found[index] ?? null));
    },
    async countWaiting(shard) {
      const { turns, prefix } = shards.all[shard] as Keyspace;
      const total = { waiting: 0, retrying: 0 };
      for (let first = 0; ; first += COUNTED_AT_ONCE) {
        const last = first + COUNTED_AT_ONCE - 1;
        const [seen, waiting, retrying] = await commands.sluiceMailboxTotals(turns, prefix, first, last);
        total.waiting += waiting;
        total.retrying += retrying;
        if (seen < COUNTED_AT_ONCE) return total;
      }
    },
    async list(accountId, subscriptionId, { after, limit }) {
      const { prefix, mailbox } = shards.of(accountId);
      const key = mailbox(subscriptionId);
      const entries = await commands.sluiceMailboxList(key, prefix, subscriptionId, after, limit);
      return entries.map(readEntry);
    },
    async listUnattempted(accountId, subscriptionId, { before, limit }) {
      const { prefix, mailbox } = shards.of(accountId);
      const place = [before?.pushedAt ?? '', before?.messageId ?? ''];
      const args = [prefix, subscriptionId, ...place, limit];
      const [inRedis, range] = await commands.sluiceMailboxUnattempted(mailbox(subscriptionId), ...args);
      const rows = await rowsOf(range, { subscriptionId, before, limit });
      const found = [...rows.map(({ entry }) => entry), ...inRedis].map(readEntry).sort(latestFirst);
      return found.filter(({ messageId }, at) => found[at - 1]?.messageId !== messageId).slice(0, limit);
    },
    async waitingMessages(accountId, subscriptionId, most) {
      const { prefix, mailbox } = shards.of(accountId);
      const found = await commands.sluiceMailboxMessages(
        mailbox(subscriptionId),
        prefix,
        subscriptionId,
        most,
      );
      if (found === null) return undefined;
      const [inRedis, range] = found;
      const rows = await rowsOf(range, { subscriptionId, before: undefined, limit: most });
      const ids = new Set([...inRedis, ...rows.map(({ messageId }) => messageId)]);
      return (_, id) => ids.has(id);
    },
    async eraseChanges(accountId, changeIds) {
      const { change } = shards.of(accountId);
      for (let at = 0; at < changeIds.length; at += DELETED_AT_ONCE)
        await redis.del(...changeIds.slice(at, at + DELETED_AT_ONCE).map(change));
    },
  };
}

function latestFirst(a: Entry, b: Entry): number {
  return b.pushedAt - a.pushedAt || (a.messageId > b.messageId ? -1 : a.messageId < b.messageId ? 1 : 0);
}

function readStatus(subscriptionId: string, reply: StatusReply): MailboxStatus[] {
  if (reply === null) return [];
  const [waiting, attempting, since, due, state] = reply;
  return [
    {
      subscriptionId,
      waiting,
      attempting,
      waitingSince: since === '' ? null : Number(since),
      nextDueAt: due === '' ? null : Number(due),
      state: state === null ? INITIAL_STATE : (JSON.parse(state) as MailboxState),
    },
  ];
}
