import type { Keyspace } from '@sluice/redis/keyspace';
import type { Shards } from '@sluice/redis/shards/shards';
import { withScripts } from '@sluice/redis/with-scripts';
import type { OutboundChanges } from '@sluice/store/outbound/outbound-changes';
import type { WebhookMessages } from '@sluice/store/outbound/webhook-messages';
import type { Redis } from 'ioredis';
import type { PublishedSubscription } from '../queue/published-subscription.ts';
import type { Waiting } from '../queue/waiting.ts';
import { CURSORS_BEHIND } from './cursor-places.lua.ts';
import { firstNumber } from './known-cursors.ts';
import { logFitOf } from './wants.ts';

export interface CountWaitingDeps {
  readonly redis: Redis;
  readonly shards: Shards;
  readonly changes: Pick<OutboundChanges, 'countFitting'>;
  readonly messages: Pick<WebhookMessages, 'countPending'>;
}

type Behind = [id: string, account: string, record: string, cursor: string, last: string];

interface CountCommands {
  sluiceCursorsBehind(
    key: string,
    prefix: string,
    first: number,
    last: number,
  ): Promise<[seen: number, failing: number, behind: Behind[]]>;
}

/** Cursors that a script looks at. A longer one would delay other commands. */
const LOOKED_AT_ONCE = 500;
/** Subscriptions whose rows one query counts, and rows that it counts at most. */
const PENDING = { subscriptions: 1_000, rows: 100_000 };
/** Logs are counted behind so many cursors. If more are behind, their number is estimated from these. */
const COUNTED_CURSORS = 200;
/** Changes that are looked at together behind these cursors. */
const LOOKED_AT = 100_000;
const QUERIES_AT_ONCE = 10;

/** Counts for metrics. It costs a look at each cursor that is due in Redis, and a bounded number of queries. */
export function createCountWaiting({
  redis,
  shards,
  changes,
  messages,
}: CountWaitingDeps): Pick<Waiting, 'countWaiting'> {
  const commands = withScripts<CountCommands>(redis, { sluiceCursorsBehind: CURSORS_BEHIND });

  async function countPending(ids: readonly string[]): Promise<number> {
    let total = 0;
    for (let at = 0; at < ids.length; at += PENDING.subscriptions)
      total += await messages.countPending(ids.slice(at, at + PENDING.subscriptions), PENDING.rows);
    return total;
  }

  async function countChanges(behind: readonly Behind[]): Promise<number> {
    const counted = sampleOf(behind, COUNTED_CURSORS);
    const lookAt = Math.ceil(LOOKED_AT / Math.max(2, counted.length));
    const countOne = async ([, account_id, json, cursor, last]: Behind) => {
      const subscription: PublishedSubscription = JSON.parse(json);
      const range = {
        after: cursor === '' ? firstNumber(subscription) : Number(cursor),
        upTo: Number(last),
      };
      const query = { account_id, ...range, fit: logFitOf(subscription), limit: lookAt, lookAt };
      return (await changes.countFitting(query)).count;
    };
    let total = 0;
    for (let at = 0; at < counted.length; at += QUERIES_AT_ONCE)
      for (const one of await Promise.all(counted.slice(at, at + QUERIES_AT_ONCE).map(countOne)))
        total += one;
    return Math.round((total * behind.length) / Math.max(1, counted.length));
  }

  return {
    async countWaiting(shard) {
      const { cursors, prefix } = shards.all[shard] as Keyspace;
      const all: Behind[] = [];
      let retrying = 0;
      for (let first = 0; ; first += LOOKED_AT_ONCE) {
        const last = first + LOOKED_AT_ONCE - 1;
        const [seen, failing, behind] = await commands.sluiceCursorsBehind(cursors, prefix, first, last);
        retrying += failing;
        all.push(...behind);
        if (seen < LOOKED_AT_ONCE) break;
      }
      const [pending, unread] = await Promise.all([
        countPending(all.map(([id]) => id)),
        countChanges(all.filter(([, , , cursor, last]) => Number(cursor) < Number(last))),
      ]);
      return { waiting: pending + unread, retrying };
    },
  };
}

/** As many of a list, evenly spread. */
function sampleOf<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, n) => all[Math.floor((n * all.length) / most)] as T);
}
