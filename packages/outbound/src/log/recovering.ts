import type { MessageStatus } from '@sluice/contract/subscription/webhook-delivery';
import type { ChangeHead } from '@sluice/store/outbound/outbound-changes';
import type { WebhookMessages } from '@sluice/store/outbound/webhook-messages';
import type { AskTurns } from './ask-turns.ts';
import type { ReadCursorPlaces } from './cursor-places.ts';
import { publishedAt } from './progress.ts';
import type { AgainEntry } from './requests.ts';
import { wants } from './wants.ts';

/** A recovered change. `number`: in the log of its account (outbound-changes.ts). `at`: milliseconds since the Unix epoch. */
export type RecoveredEntry = AgainEntry & { readonly number?: number | undefined; readonly at: number };

/** Whether the message of a change waits. `status`: of its row, if it has one. */
export type IsWaiting = (change: ChangeHead, status: MessageStatus | undefined) => boolean;

export interface Recovering {
  /**
   * Sends messages once more, in the given order, after all that waits. `absent`: the subscription is not published in this run of Redis.
   * Publish the account again, then repeat it.
   */
  pushRecovered(
    accountId: string,
    subscriptionId: string,
    entries: readonly RecoveredEntry[],
  ): Promise<'pushed' | 'absent'>;
  /** Knows which messages of a subscription wait. */
  waitingMessages(accountId: string, subscriptionId: string): Promise<IsWaiting>;
}

const ROWS_AT_ONCE = 1_000;

export interface RecoveringDeps {
  readonly readPlaces: ReadCursorPlaces;
  readonly messages: Pick<WebhookMessages, 'addRecovered'>;
  readonly askTurns: AskTurns;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Recovered messages get rows that wait, in the places of their changes. Rejects if a store does not respond. */
export function createRecovering({ readPlaces, messages, askTurns, now }: RecoveringDeps): Recovering {
  return {
    async waitingMessages(accountId, subscriptionId) {
      const place = (await readPlaces(accountId, [subscriptionId])).get(subscriptionId);
      return ({ number, ...change }, status) => {
        if (status !== undefined) return status === 'pending';
        if (number === undefined) return false;
        // The first turn that is published again looks for rows behind its cursor.
        return (
          place === undefined || (number > place.after && wants(place.subscription, { ...change, number }))
        );
      };
    },
    async pushRecovered(account_id, subscription_id, entries) {
      const [due, placed] = [now(), withPlaces(entries)];
      for (let at = 0; at < placed.length; at += ROWS_AT_ONCE) {
        await messages.addRecovered(
          placed.slice(at, at + ROWS_AT_ONCE).map(({ messageId, changeId, kind, recordId, place }) => ({
            ...{ account_id, subscription_id, message_id: messageId, change_id: changeId, kind },
            ...{ record_id: recordId, place, created_at: publishedAt(place), next_attempt_at: due },
          })),
        );
      }
      return (await askTurns(account_id, subscription_id)) === 'unpublished' ? 'absent' : 'pushed';
    },
  };
}

/** Changes of 0.2.0 have no numbers. Their places follow their times. */
function withPlaces(entries: readonly RecoveredEntry[]) {
  let last = 0;
  return entries.map(({ number, at, ...entry }) => {
    const place = number ?? Math.max(last + 1, at * 1000);
    if (number === undefined) last = place;
    return { ...entry, place };
  });
}
