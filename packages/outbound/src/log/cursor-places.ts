import type { Shards } from '@sluice/redis/shards/shards';
import { withScripts } from '@sluice/redis/with-scripts';
import type { OutboundChanges } from '@sluice/store/outbound/outbound-changes';
import type { WebhookCursors } from '@sluice/store/outbound/webhook-cursors';
import type { Redis } from 'ioredis';
import type { PublishedSubscription } from '../queue/published-subscription.ts';
import { INITIAL_STATE, type ReceiverState } from '../queue/turn.ts';
import { CURSOR_PLACES } from './cursor-places.lua.ts';
import { firstNumber } from './known-cursors.ts';

/** Where a subscription is in the log of its account. */
export interface CursorPlace {
  readonly subscription: PublishedSubscription;
  /** It has read all changes up to this number. Later ones may have been attempted by a turn that runs. */
  readonly after: number;
  /** The same without what was discarded, until a turn has learned of it. */
  readonly read: number;
  /** The last number that may be read. */
  readonly upTo: number;
  /** The lease of the turn that runs; null without one. Milliseconds. */
  readonly leaseMs: number | null;
  /** When its next turn is due, in milliseconds since the Unix epoch; null during a turn, while paused, and without anything to do. */
  readonly dueAt: number | null;
  readonly state: ReceiverState;
}

export interface CursorPlacesDeps {
  readonly redis: Redis;
  readonly shards: Shards;
  readonly store: {
    readonly outboundChanges: Pick<OutboundChanges, 'lastNumber'>;
    readonly webhookCursors: Pick<WebhookCursors, 'findCursors'>;
  };
}

/** Those of the subscriptions that are published in Redis, by id. Throws if a store is unavailable. */
export type ReadCursorPlaces = (
  accountId: string,
  subscriptionIds: readonly string[],
) => Promise<ReadonlyMap<string, CursorPlace>>;

type PlaceReply = [record: string, cursor: string, calm: 0 | 1, leaseMs: number, due: string] | null;

interface PlaceCommands {
  sluiceCursorPlaces(key: string, ...args: string[]): Promise<[last: string, ...PlaceReply[]]>;
}

export function createReadCursorPlaces({ redis, shards, store }: CursorPlacesDeps): ReadCursorPlaces {
  const commands = withScripts<PlaceCommands>(redis, { sluiceCursorPlaces: CURSOR_PLACES });
  return async (accountId, ids) => {
    const { prefix, cursors } = shards.of(accountId);
    const [[last, ...replies], stored] = await Promise.all([
      commands.sluiceCursorPlaces(cursors, prefix, accountId, ...ids),
      store.webhookCursors.findCursors(ids),
    ]);
    const upTo = last === '' ? await store.outboundChanges.lastNumber(accountId) : Number(last);
    return new Map(
      ids.flatMap((id, index): [string, CursorPlace][] => {
        const reply = replies[index] ?? null;
        if (reply === null) return [];
        const [record, cursor, calm, leaseMs, due] = reply;
        const subscription: PublishedSubscription = JSON.parse(record);
        const { number = 0, passed = 0, state = '', version = 0 } = stored.get(id) ?? {};
        const isKnown = calm === 0 && state !== '' && version >= (subscription.fresh_from ?? 0);
        const read = Math.max(firstNumber(subscription), Number(cursor), number);
        return [
          [
            id,
            {
              ...{ subscription, upTo, read, after: Math.max(read, passed) },
              leaseMs: leaseMs < 0 ? null : leaseMs,
              dueAt: due === '' ? null : Number(due),
              state: isKnown ? JSON.parse(state) : INITIAL_STATE,
            },
          ],
        ];
      }),
    );
  };
}
