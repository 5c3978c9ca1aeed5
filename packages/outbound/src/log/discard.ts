import { setTimeout as sleep } from 'node:timers/promises';
import { messageId } from '@sluice/contract/message/outbound-ids';
import type { OutboundChanges } from '@sluice/store/outbound/outbound-changes';
import type { WebhookCursors } from '@sluice/store/outbound/webhook-cursors';
import type { WebhookMessages } from '@sluice/store/outbound/webhook-messages';
import type { AskTurns } from './ask-turns.ts';
import type { CursorPlace, ReadCursorPlaces } from './cursor-places.ts';
import { publishedAt } from './progress.ts';
import { countUnattempted } from './waiting.ts';
import { logFitOf } from './wants.ts';

/** Discards what waits for a subscription, except the messages that are attempted now. Resolves to how many were counted in time. Rejects if a store fails; then repeat it. */
export type Discard = (accountId: string, subscriptionId: string) => Promise<number>;

export interface DiscardDeps {
  readonly readPlaces: ReadCursorPlaces;
  readonly ask: AskTurns;
  readonly cursors: Pick<WebhookCursors, 'passUpTo'>;
  readonly changes: Pick<OutboundChanges, 'countFitting' | 'newestFitting'>;
  readonly messages: Pick<WebhookMessages, 'countBeyond' | 'discardPending' | 'logDiscarded'>;
}

/** The newest of the discarded messages without an attempt get rows, so that the list shows them. */
const MOST_ROWS = 10_000;
const ROWS_AT_ONCE = 500;
/** Discarded messages are counted up to this. */
const MOST_COUNTED = 500_000;
/** MongoDB's code of a query that has run out of its time. */
const MAX_TIME_EXPIRED = 50;

/**
 * Discards what waits in the log. Nothing of it is sent once the cursor has passed it. A process that dies afterwards leaves messages that
 * are in no list.
 */
export function createDiscard(deps: DiscardDeps): Discard {
  const { readPlaces, ask, cursors, messages } = deps;
  return async (accountId, subscriptionId) => {
    const readPlace = async () => (await readPlaces(accountId, [subscriptionId])).get(subscriptionId);
    const place = await readPlace();
    if (place === undefined) return 0;
    await cursors.passUpTo(subscriptionId, place.upTo);
    await ask(accountId, subscriptionId);
    // A turn may begin attempts until then. What it attempts keeps its outcome.
    await sleep((await readPlace())?.leaseMs ?? 0);
    const pending = await messages.discardPending(subscriptionId, publishedAt(place.upTo));
    const unattempted = await countInTime(deps, place);
    await logUnattempted(deps, place);
    return unattempted + pending;
  };
}

/** A count that takes too long is 0: on a slow store, what waits is discarded all the same. */
async function countInTime(
  deps: Pick<DiscardDeps, 'changes' | 'messages'>,
  place: CursorPlace,
): Promise<number> {
  try {
    return (await countUnattempted(deps, place, { limit: MOST_COUNTED, lookAt: MOST_COUNTED })).count;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === MAX_TIME_EXPIRED) return 0;
    throw error;
  }
}

/** Messages that have a row keep it. */
async function logUnattempted(
  { changes, messages }: Pick<DiscardDeps, 'changes' | 'messages'>,
  { subscription, read, upTo }: CursorPlace,
): Promise<void> {
  const { account_id, subscription_id } = subscription;
  const query = { account_id, after: read, fit: logFitOf(subscription), limit: ROWS_AT_ONCE };
  let last = upTo;
  for (let logged = 0; logged < MOST_ROWS; logged += ROWS_AT_ONCE) {
    const page = await changes.newestFitting({ ...query, upTo: last });
    await messages.logDiscarded(
      page.map(({ number, change_id, kind, record_id }) => ({
        ...{ message_id: messageId(change_id, subscription_id), account_id, subscription_id, change_id },
        ...{ place: number, kind, record_id, created_at: publishedAt(number) },
      })),
    );
    const lowest = page.at(-1);
    if (lowest === undefined || page.length < ROWS_AT_ONCE) return;
    last = lowest.number - 1;
  }
}
