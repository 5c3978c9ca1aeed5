import type { Keyspace } from '@sluice/redis/keyspace';
import type { Shards } from '@sluice/redis/shards/shards';
import { withScripts } from '@sluice/redis/with-scripts';
import type { OutboundChanges } from '@sluice/store/outbound/outbound-changes';
import type { WebhookMessages } from '@sluice/store/outbound/webhook-messages';
import type { Redis } from 'ioredis';
import type { PublishedSubscription } from '../queue/published-subscription.ts';
import { CURSORS_BEHIND } from './cursor-places.lua.ts';
import { firstNumber } from './known-cursors.ts';
import { logFitOf } from './wants.ts';

export interface WaitingTotals {
  /** Messages that are neither delivered nor finally failed. */
  readonly waiting: number;
  /** Subscriptions whose messages wait, and whose receiver has accepted none since a failure. Not those marked as failing. */
  readonly retrying: number;
}

/** Counts what waits in a shard, without paused subscriptions, streams and replies. */
export type CountWaiting = (shard: number) => Promise<WaitingTotals>;

export interface CountWaitingDeps {
  readonly redis: Redis;
  readonly shards: Shards;
  readonly changes: Pick<OutboundChanges, 'countFitting'>;
  readonly messages: Pick<WebhookMessages, 'countPending'>;
}

type Example = [account: string, record: string, cursor: string, last: string];

interface CountCommands {
  sluiceCursorsBehind(
    key: string,
    ...args: (string | number)[]
  ): Promise<[seen: number, failing: number, withRows: string[], behind: number, examples: Example[]]>;
}

/** Cursors that a script looks at. A longer one would delay other commands. */
const SEEN_AT_ONCE = 500;
/** Rows that a query counts at most. */
const MOST_ROWS = 100_000;
/** About so many logs are counted behind cursors, evenly spread. If more cursors are behind, their messages are estimated from these. */
const EXAMPLES = 200;
/** Changes that are looked at together behind these cursors. */
const LOOKED_AT = 20_000;
const QUERIES_AT_ONCE = 10;

/** Counts for metrics. It costs a look in Redis at each cursor that is due, and a bounded number of queries of logs. */
export function createCountWaiting({ redis, shards, changes, messages }: CountWaitingDeps): CountWaiting {
  const commands = withScripts<CountCommands>(redis, { sluiceCursorsBehind: CURSORS_BEHIND });

  async function countBehind(examples: readonly Example[]): Promise<number> {
    const lookAt = Math.ceil(LOOKED_AT / Math.max(2, examples.length));
    const countOne = async ([account_id, json, cursor, last]: Example) => {
      const subscription: PublishedSubscription = JSON.parse(json);
      const after = cursor === '' ? firstNumber(subscription) : Number(cursor);
      const query = { account_id, after, upTo: Number(last), fit: logFitOf(subscription) };
      return (await changes.countFitting({ ...query, limit: lookAt, lookAt })).count;
    };
    let total = 0;
    for (let at = 0; at < examples.length; at += QUERIES_AT_ONCE)
      for (const one of await Promise.all(examples.slice(at, at + QUERIES_AT_ONCE).map(countOne)))
        total += one;
    return total;
  }

  return async (shard) => {
    const { cursors, prefix } = shards.all[shard] as Keyspace;
    const pages = Math.max(1, Math.ceil((await redis.zcard(cursors)) / SEEN_AT_ONCE));
    const all: Example[] = [];
    let [retrying, rows, behind] = [0, 0, 0];
    for (let first = 0; ; first += SEEN_AT_ONCE) {
      const args = [prefix, first, first + SEEN_AT_ONCE - 1, Math.ceil(EXAMPLES / pages)];
      const [seen, failing, withRows, count, examples] = await commands.sluiceCursorsBehind(cursors, ...args);
      retrying += failing;
      behind += count;
      all.push(...examples);
      if (withRows.length > 0) rows += await messages.countPending(withRows, MOST_ROWS);
      if (seen < SEEN_AT_ONCE) break;
    }
    const unread = ((await countBehind(all)) * behind) / Math.max(1, all.length);
    return { waiting: rows + Math.round(unread), retrying };
  };
}
