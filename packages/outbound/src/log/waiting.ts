import { messageId } from '@sluice/contract/message/outbound-ids';
import { WAITING_COUNTED } from '@sluice/contract/subscription/subscription-limits';
import { type FittingChanges, type FittingQuery, LOOKED_AT } from '@sluice/store/outbound/fitting-changes';
import type { NumberedHead, OutboundChanges } from '@sluice/store/outbound/outbound-changes';
import type { WebhookMessages } from '@sluice/store/outbound/webhook-messages';
import type { WebhookRequests } from '@sluice/store/outbound/webhook-requests';
import type { Entry, ReceiverState } from '../queue/turn.ts';
import type { CursorPlace, ReadCursorPlaces } from './cursor-places.ts';
import { publishedAt } from './progress.ts';
import { waitingTests } from './requests.ts';
import { logFitOf } from './wants.ts';

export interface WaitingStatus {
  readonly subscriptionId: string;
  /** Messages that are neither delivered nor finally failed. */
  readonly waiting: number;
  /** How many of them a dispatcher attempts now. */
  readonly attempting: number;
  /** When the oldest of them was pushed, in milliseconds since the Unix epoch by Redis's clock. */
  readonly waitingSince: number | null;
  /** When one of them is due, by the same clock; null without one, during a turn, and while paused. */
  readonly nextDueAt: number | null;
  readonly state: ReceiverState;
}

export interface Waiting {
  /** One for each subscription that is published, in the given order. */
  status(accountId: string, subscriptionIds: readonly string[]): Promise<WaitingStatus[]>;
  /**
   * Messages without an attempt, the latest first, by `pushedAt` and `messageId`. `before` is the last one of the previous page.
   */
  listUnattempted(
    accountId: string,
    subscriptionId: string,
    page: { readonly before?: Pick<Entry, 'pushedAt' | 'messageId'> | undefined; readonly limit: number },
  ): Promise<Entry[]>;
}

export interface WaitingOnLogDeps {
  readonly readPlaces: ReadCursorPlaces;
  readonly changes: Pick<OutboundChanges, 'countFitting' | 'newestFitting'>;
  readonly messages: Pick<WebhookMessages, 'countPending' | 'oldestPending' | 'countBeyond'>;
  readonly requests: Pick<WebhookRequests, 'findRequests'>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Changes of one query. A batch of a publisher often has as many numbers of one millisecond. */
const PAGE = 500;

/** What waits for subscriptions: rows of messages that have failed or are held back, and changes of the log behind the cursor. */
export function createWaitingOnLog(deps: WaitingOnLogDeps): Waiting {
  const { readPlaces, changes, messages } = deps;
  return {
    async status(accountId, subscriptionIds) {
      const places = await readPlaces(accountId, subscriptionIds);
      return Promise.all(
        [...places.values()].map(async (place): Promise<WaitingStatus> => {
          const { leaseMs, dueAt, state } = place;
          // Of many, not more is looked at than is counted.
          const lookAt = places.size === 1 ? LOOKED_AT : WAITING_COUNTED;
          const { waiting, since } = await waitingAt({ changes, messages }, place, lookAt);
          return {
            ...{ subscriptionId: place.subscription.subscription_id, waiting, waitingSince: since, state },
            attempting: leaseMs !== null && waiting > 0 ? 1 : 0,
            nextDueAt: waiting > 0 ? dueAt : null,
          };
        }),
      );
    },
    async listUnattempted(accountId, subscriptionId, { before, limit }) {
      const place = (await readPlaces(accountId, [subscriptionId])).get(subscriptionId);
      if (place === undefined) return [];
      const [tests, behind] = await Promise.all([
        waitingTests(deps, subscriptionId),
        newestBehind(changes, place, { before, limit }),
      ]);
      const older = tests.filter((one) => before === undefined || latestFirst(before, one) < 0);
      return [...older, ...behind].sort(latestFirst).slice(0, limit);
    },
  };
}

/** How many messages wait, and since when. Milliseconds since the Unix epoch. */
async function waitingAt(
  { changes, messages }: Pick<WaitingOnLogDeps, 'changes' | 'messages'>,
  place: CursorPlace,
  lookAt: number,
): Promise<{ readonly waiting: number; readonly since: number | null }> {
  const { subscription_id } = place.subscription;
  const [{ count, first, isCut }, pending, oldest] = await Promise.all([
    countUnattempted({ changes, messages }, place, { limit: WAITING_COUNTED, lookAt }),
    messages.countPending([subscription_id], WAITING_COUNTED),
    messages.oldestPending(subscription_id),
  ]);
  // Where nothing was found among those that were looked at, something may follow.
  const unattempted = isCut ? Math.max(1, count) : count;
  const waiting = Math.min(WAITING_COUNTED, unattempted + pending);
  const times = [oldest ?? [], first === null && !isCut ? [] : publishedAt(first ?? place.after)].flat();
  return { waiting, since: waiting === 0 ? null : Math.min(...times) };
}

/** How many messages behind a cursor have no row, and the number of the first one. A turn that runs has attempted some of them. */
export async function countUnattempted(
  {
    changes,
    messages,
  }: {
    readonly changes: Pick<OutboundChanges, 'countFitting'>;
    readonly messages: Pick<WebhookMessages, 'countBeyond'>;
  },
  { subscription, after, upTo }: CursorPlace,
  bounds: Pick<FittingQuery, 'limit' | 'lookAt'>,
): Promise<FittingChanges> {
  const { account_id, subscription_id } = subscription;
  const [{ count, first, isCut }, beyond] = await Promise.all([
    changes.countFitting({ account_id, after, upTo, fit: logFitOf(subscription), ...bounds }),
    messages.countBeyond(subscription_id, after, bounds.limit),
  ]);
  return { count: Math.max(0, count - beyond), first, isCut };
}

/** Changes behind a cursor, the latest first by time and message, as the list of messages is sorted. */
async function newestBehind(
  changes: Pick<OutboundChanges, 'newestFitting'>,
  { subscription, after, upTo }: CursorPlace,
  { before, limit }: Parameters<Waiting['listUnattempted']>[2],
): Promise<Entry[]> {
  const { account_id, subscription_id } = subscription;
  const query = { account_id, after, fit: logFitOf(subscription), limit: Math.max(limit, PAGE) };
  const found: Entry[] = [];
  let last = before === undefined ? upTo : Math.min(upTo, lastNumberAt(before.pushedAt));
  for (;;) {
    const page = await changes.newestFitting({ ...query, upTo: last });
    const entries = page.map((head) => entryOf(subscription_id, head));
    found.push(...entries.filter((one) => before === undefined || latestFirst(before, one) < 0));
    const lowest = page.at(-1);
    // Messages of one millisecond are sorted by their ids, so all of them are needed.
    const isWhole = found.filter(({ pushedAt }) => pushedAt > publishedAt(lowest?.number ?? 0));
    if (lowest === undefined || page.length < query.limit || isWhole.length >= limit)
      return found.sort(latestFirst).slice(0, limit);
    last = lowest.number - 1;
  }
}

function entryOf(subscriptionId: string, { number, change_id, kind, record_id }: NumberedHead): Entry {
  return {
    ...{ number, place: number, messageId: messageId(change_id, subscriptionId), changeId: change_id, kind },
    ...{ recordId: record_id, attempts: 0, redelivery: false, recovered: false },
    pushedAt: publishedAt(number),
  };
}

function lastNumberAt(ms: number): number {
  return ms * 1000 + 999;
}

function latestFirst(
  a: Pick<Entry, 'pushedAt' | 'messageId'>,
  b: Pick<Entry, 'pushedAt' | 'messageId'>,
): number {
  return b.pushedAt - a.pushedAt || (a.messageId > b.messageId ? -1 : a.messageId < b.messageId ? 1 : 0);
}
