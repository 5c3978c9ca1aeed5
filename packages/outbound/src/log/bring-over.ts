import type { Shards } from '@sluice/redis/shards/shards';
import { withScripts } from '@sluice/redis/with-scripts';
import type { Store } from '@sluice/store/connect';
import type { WaitingMessage } from '@sluice/store/outbound/webhook-message';
import type { Redis } from 'ioredis';
import type { PublishedSubscription } from '../queue/published-subscription.ts';
import { createAskTurns } from './ask-turns.ts';
import { READ_MAILBOX, REMOVE_MAILBOX } from './bring-over.lua.ts';

export interface BringOverDeps {
  readonly redis: Redis;
  readonly shards: Shards;
  readonly store: Pick<Store, 'webhookMessages' | 'webhookCursors' | 'oldMailboxes'>;
}

interface BringOverCommands {
  sluiceReadMailbox(
    key: string,
    ...args: string[]
  ): Promise<[state: string, last: string, entries: string[], from: string, to: string, era: string] | null>;
  sluiceRemoveMailbox(key: string, ...args: (string | number)[]): Promise<0 | 1>;
}

/** Processes of 0.2.0 that still run change mailboxes. */
const TRIES = 20;

/**
 * Turns what waits in mailboxes of 0.2.0 into rows of messages that wait. Call it with all subscriptions of an account before the account is
 * published to Redis: turns need what only this version publishes. Idempotent, also if several processes do it at the same time. Throws if a store is
 * unavailable. A test that waited is not sent.
 */
export type BringOver = (subscriptions: readonly PublishedSubscription[]) => Promise<void>;

export function createBringOver({ redis, shards, store }: BringOverDeps): BringOver {
  const commands = withScripts<BringOverCommands>(redis, {
    sluiceReadMailbox: READ_MAILBOX,
    sluiceRemoveMailbox: REMOVE_MAILBOX,
  });
  const askTurns = createAskTurns({ redis, shards });

  async function bringOver({ account_id, subscription_id, version }: PublishedSubscription): Promise<void> {
    const { mailbox, prefix } = shards.of(account_id);
    const args = [mailbox(subscription_id), prefix, subscription_id] as const;
    for (let tries = 0; tries < TRIES; tries++) {
      const found = await commands.sluiceReadMailbox(...args);
      if (found === null) return;
      const [state, last, inRedis, from, to, era] = found;
      const range = { subscription_id, era, from: Number(from), to: Number(to) };
      const inMongo = from === '' ? [] : await store.oldMailboxes.readEntries(range);
      const waiting = messagesOf([...inRedis, ...inMongo], { account_id, subscription_id });
      await store.webhookMessages.addBroughtOver(waiting);
      if (state !== '') {
        const unread = { turn: 0, number: 0, seen: 0, retry_at: null, version };
        await store.webhookCursors.writeCursors([{ subscription_id, ...unread, state }]);
      }
      if ((await commands.sluiceRemoveMailbox(...args, last, inRedis.length)) === 0) continue;
      // A worker may have published the account before.
      await askTurns(account_id, subscription_id);
      return;
    }
    throw new Error(`the mailbox of ${subscription_id} keeps changing: stop the processes of 0.2.0`);
  }

  return async (subscriptions) => {
    for (const one of subscriptions) await bringOver(one);
  };
}

/** In the order in which they waited. A redelivery that was asked for is a message that waits, unless it was delivered before. */
function messagesOf(
  entries: readonly string[],
  owner: Pick<WaitingMessage, 'account_id' | 'subscription_id'>,
): readonly WaitingMessage[] {
  const messages: WaitingMessage[] = [];
  let place = 0;
  for (const entry of [...new Set(entries)].sort()) {
    const [, change_id, message_id, kind, pushedAt, , , , record_id] = entry.split('|') as string[];
    if (kind === 'webhook.test') continue;
    const created_at = Number(pushedAt);
    // Numbers of the log are microseconds.
    place = Math.max(place + 1, created_at * 1000);
    messages.push({
      ...owner,
      message_id: message_id as string,
      change_id: change_id as string,
      kind: kind as string,
      record_id: record_id as string,
      place,
      created_at,
      next_attempt_at: created_at,
    });
  }
  return messages;
}
