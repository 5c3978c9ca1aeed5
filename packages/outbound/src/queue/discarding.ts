import type { Shards } from '@sluice/redis/shards/shards';
import { withScripts } from '@sluice/redis/with-scripts';
import type { Redis } from 'ioredis';
import { readEntry } from './entry.ts';
import type { Overflow } from './overflow.ts';
import type { Entry } from './turn.ts';
import { DISCARD, FORGET_DISCARDED } from './waiting.lua.ts';

/** Discarded entries that are not yet in the log. */
export interface DiscardedEntries {
  readonly entries: readonly Entry[];
  /** Call it once they are in the log. It does nothing if another process has done so. */
  forget(): Promise<void>;
}

export interface Discarding {
  /**
   * Takes what waits out of the mailbox, except the messages that are attempted now. Resolves to how many. They are kept in Redis until
   * they are in the log. `log` is called before more of them come from MongoDB, so that they cannot fill Redis.
   */
  discard(accountId: string, subscriptionId: string, log?: () => Promise<void>): Promise<number>;
  /** Up to `limit` entries that were discarded and are not yet in the log. Empty: there are none left. */
  nextDiscarded(accountId: string, subscriptionId: string, limit: number): Promise<DiscardedEntries>;
  /** The mailboxes that have such entries. */
  discarding(): Promise<readonly { readonly accountId: string; readonly subscriptionId: string }[]>;
}

interface DiscardCommands {
  sluiceMailboxDiscard(
    mailbox: string,
    prefix: string,
    subscription: string,
  ): Promise<[moved: number, last: number, stored: number]>;
  sluiceForgetDiscarded(mailbox: string, ...args: (string | number)[]): Promise<null>;
}

export function createDiscarding({
  redis,
  shards,
  overflow,
}: {
  redis: Redis;
  shards: Shards;
  overflow?: Overflow | undefined;
}): Discarding {
  const commands = withScripts<DiscardCommands>(redis, {
    sluiceMailboxDiscard: DISCARD,
    sluiceForgetDiscarded: FORGET_DISCARDED,
  });
  return {
    async discard(accountId, subscriptionId, log) {
      const { prefix, mailbox } = shards.of(accountId);
      const key = mailbox(subscriptionId);
      const [moved, last, stored] = await commands.sluiceMailboxDiscard(key, prefix, subscriptionId);
      let loaded = 0;
      for (;;) {
        const range = await overflow?.range(accountId, subscriptionId);
        // A turn may have moved some of them. After a failover MongoDB may have more than Redis has counted.
        if (range === undefined || range.from > last) return moved + Math.max(loaded, stored);
        await log?.();
        const part = { ...range, to: Math.min(range.to, last) };
        loaded += (await overflow?.load(accountId, subscriptionId, part, 'discarded')) ?? 0;
      }
    },
    async nextDiscarded(accountId, subscriptionId, limit) {
      const { prefix, mailbox, mailboxDiscarded } = shards.of(accountId);
      const texts = await redis.lrange(mailboxDiscarded(subscriptionId), 0, limit - 1);
      return {
        entries: texts.map(readEntry),
        async forget() {
          const args = [prefix, subscriptionId, accountId, texts[0] ?? '', texts.length];
          await commands.sluiceForgetDiscarded(mailbox(subscriptionId), ...args);
        },
      };
    },
    async discarding() {
      const members = await Promise.all(shards.all.map(({ discarding }) => redis.smembers(discarding)));
      return members.flat().map((member) => {
        const [accountId = '', subscriptionId = ''] = member.split(' ');
        return { accountId, subscriptionId };
      });
    },
  };
}
