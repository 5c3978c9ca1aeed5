import { performance } from 'node:perf_hooks';
import { messageId } from '@sluice/contract/message/outbound-ids';
import type { WebhookMessage } from '@sluice/store/outbound/webhook-message';
import type { WebhookMessages } from '@sluice/store/outbound/webhook-messages';
import { TAKEN_TEXT } from '../queue/limits.ts';
import type { PublishedSubscription } from '../queue/published-subscription.ts';
import { type TakenEntry, TEST_KIND, type Turn } from '../queue/turn.ts';
import type { LoggedChange, LogReader } from './log-reader.ts';
import { isFull, MOST_WAITING, noteWaiting, type Progress, publishedAt } from './progress.ts';
import type { TakeRequests } from './take-requests.ts';
import { wants } from './wants.ts';

export interface TakeMessagesDeps {
  readonly reader: LogReader;
  readonly requests: Pick<TakeRequests, 'take'>;
  readonly messages: Pick<
    WebhookMessages,
    'findMessages' | 'waitingMessages' | 'firstDue' | 'waitingByRecord' | 'addWaiting' | 'countPending'
  >;
  /** How much text a turn may keep, in UTF-16 units. What is beyond it is read when it is sent. Default: TAKEN_TEXT. */
  readonly mostText?: (() => number) | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** The next messages of a turn, at most `most`. Without any nothing is left to send now. Throws if a store is unavailable. */
export type TakeMessages = (turn: Turn, progress: Progress, most: number) => Promise<TakenEntry[]>;

/** Parts of the log that are read for one result: those who want little of a long log must not hold up others that were claimed with them. */
const MOST_READS = 8;
/** Rows of messages that are held back together. */
const HELD_AT_ONCE = 1_000;
/** Rows of waiting messages of one query. More than one millisecond has numbers. */
const WAITING_READ = 2_000;

/**
 * Takes what a subscription has to send: first what people and programs have asked for, then messages that have failed and are due again, then
 * changes of the log behind its cursor.
 */
export function createTakeMessages({
  reader,
  requests,
  messages,
  mostText = () => TAKEN_TEXT,
  now,
}: TakeMessagesDeps): TakeMessages {
  async function take(turn: Turn, progress: Progress, most: number): Promise<TakenEntry[]> {
    const { state, retryAt } = progress;
    if (most <= 0) return [];
    // A receiver that is probed gets one message at a time.
    if (state.probing && progress.taken.size > 0) return [];
    // Two of one record must not leave together in an ordered subscription.
    const mostAsked = state.probing || turn.subscription.ordered ? 1 : most;
    const asked = requests.take(progress.requests, progress.taken, mostAsked);
    for (const entry of asked) progress.taken.set(entry.number, entry);
    if (asked.length > 0 || state.notBefore > now()) return asked;
    const isDue = retryAt !== null && (state.probing || retryAt <= now());
    const entries = isDue ? await takeWaiting(turn, progress, state.probing ? 1 : most) : [];
    const fresh = entries.length > 0 ? [] : await takeFresh(turn, progress, state.probing ? 1 : most);
    for (const entry of [...entries, ...fresh]) {
      progress.taken.set(entry.number, entry);
      progress.sent.add(entry.messageId);
    }
    return withinText([...entries, ...fresh], mostText());
  }

  /** Messages that have failed or wait behind others of their record, from their rows. */
  async function takeWaiting(turn: Turn, progress: Progress, most: number): Promise<TakenEntry[]> {
    const { subscription_id, ordered } = turn.subscription;
    const { probing, lastProbed } = progress.state;
    const isFree = ({ place = 0, next_attempt_at }: WebhookMessage) =>
      !progress.taken.has(place) && (probing || (next_attempt_at ?? 0) <= now());
    const heads = ordered
      ? await firstOfRecords(subscription_id, isFree)
      : await messages.waitingMessages({
          subscription_id,
          dueBy: probing ? undefined : now(),
          limit: probing ? WAITING_READ : most + progress.rows.size,
        });
    const free = heads.filter(isFree);
    const chosen = probing
      ? [free.find(({ record_id }) => record_id !== lastProbed) ?? free[0]].flatMap((one) => one ?? [])
      : free.slice(0, most);
    for (const { place = 0 } of chosen) progress.rows.add(place);
    if (chosen.length === 0 && progress.rows.size === 0)
      progress.retryAt = ordered ? firstDueOf(heads) : await messages.firstDue(subscription_id);
    return chosen.map(entryOfRow);
  }

  /** The first message of each record that waits, until one of them may be sent: all messages of a page may wait behind one that failed. */
  async function firstOfRecords(
    subscription_id: string,
    isFree: (row: WebhookMessage) => boolean,
  ): Promise<readonly WebhookMessage[]> {
    const heads = new Map<string, WebhookMessage>();
    for (let since = 0; ; ) {
      const page = await messages.waitingMessages({ subscription_id, since, limit: WAITING_READ });
      const last = page.at(-1)?.created_at ?? 0;
      const isFull = page.length === WAITING_READ;
      // The other messages of its last millisecond are in the next page, some of them with lower numbers.
      const whole = isFull ? page.filter(({ created_at }) => created_at < last) : page;
      for (const row of [...whole].sort((a, b) => (a.place ?? 0) - (b.place ?? 0)))
        if (!heads.has(row.record_id)) heads.set(row.record_id, row);
      const found = [...heads.values()];
      if (!isFull || whole.length === 0 || found.some(isFree)) return found;
      since = last;
    }
  }

  async function takeFresh(turn: Turn, progress: Progress, most: number): Promise<TakenEntry[]> {
    const { subscription } = turn;
    const { subscription_id } = subscription;
    const hasRows = progress.retryAt !== null;
    progress.pending ??= hasRows ? await messages.countPending([subscription_id], MOST_WAITING + 1) : 0;
    if (isFull(progress)) return [];
    if (subscription.ordered)
      progress.waiting ??= hasRows ? await messages.waitingByRecord(subscription_id) : new Map();
    for (
      let reads = 0;
      reads < MOST_READS && progress.checked < progress.last && !isFull(progress);
      reads++
    ) {
      const { changes, readAt, to } = await reader.read(turn.accountId, progress.checked, progress.last);
      const entries: LogEntry[] = [];
      const held: LogEntry[] = [];
      let isWhole = true;
      /** An earlier message of the next one's record is attempted now. */
      let isBlocked = false;
      for (const change of changes) {
        if (change.number > progress.last) break;
        isBlocked = subscription.ordered && isBusy(progress, entries, change);
        isWhole = !isBlocked && entries.length < most && held.length < HELD_AT_ONCE;
        if (!isWhole) break;
        progress.read = change.number;
        progress.checked = change.number;
        if (isSkipped(progress, change) || !wants(subscription, change)) continue;
        const entry = { ...entryOf(subscription, change, readAt), again: change.again === true };
        // An erasure ends all that waits for its record, and may have done so after `waiting` was read.
        const waits = change.kind !== 'lead.erased' && progress.waiting?.has(change.record_id);
        if (waits) held.push(entry);
        else entries.push(entry);
      }
      if (isWhole) progress.checked = Math.min(to, progress.last);
      const left = await withoutSent(turn, progress, entries);
      await holdBack(turn, progress, held);
      if (left.length > 0 || isBlocked) return left;
    }
    return [];
  }

  /** Without those that another turn has sent already. */
  async function withoutSent(turn: Turn, progress: Progress, entries: readonly LogEntry[]) {
    const unsent = entries.filter(({ messageId: id }) => !progress.sent.has(id));
    const unsure = unsent.filter(({ number, again }) => again || number <= progress.seen);
    if (unsure.length === 0) return unsent;
    const ids = unsure.map(({ messageId: id }) => id);
    const sent = await messages.findMessages(turn.subscription.subscription_id, ids);
    // A dispatcher that had frozen may have stored such a row after the turn had begun.
    if ([...sent.values()].some(({ status }) => status === 'pending')) {
      progress.retryAt ??= now();
      progress.waiting = undefined;
      progress.pending = undefined;
    }
    return unsent.filter(({ messageId: id }) => !sent.has(id));
  }

  /** An earlier message of their record waits, so they wait behind it. */
  async function holdBack(
    { subscription }: Turn,
    progress: Progress,
    held: readonly LogEntry[],
  ): Promise<void> {
    if (held.length === 0) return;
    const { account_id, subscription_id } = subscription;
    await messages.addWaiting(
      held.map(
        ({ place = 0, messageId: message_id, changeId: change_id, kind, recordId: record_id, pushedAt }) => ({
          ...{ message_id, account_id, subscription_id, change_id, place, kind, record_id },
          ...{ created_at: pushedAt, next_attempt_at: now() },
        }),
      ),
    );
    for (const { recordId } of held) noteWaiting(progress, recordId, 1);
  }

  return take;
}

/** A change that was moved there from elsewhere is not: whoever had published it at its old number may have cleared it, so nobody publishes it again. */
function isSkipped({ skipped }: Progress, { number, again }: LoggedChange): boolean {
  return again !== true && skipped.some(({ first, end }) => number >= first && number < end);
}

function entryOf(
  { subscription_id }: PublishedSubscription,
  { number, change_id, kind, record_id, text }: LoggedChange,
  readAt: number,
): TakenEntry {
  return {
    ...{ number, place: number, messageId: messageId(change_id, subscription_id), changeId: change_id, kind },
    ...{ recordId: record_id, attempts: 0, redelivery: false, recovered: false },
    ...{ pushedAt: publishedAt(number), text, readAt },
  };
}

/** A message that waits is attempted from its row. */
function entryOfRow(row: WebhookMessage): TakenEntry {
  const { place = 0 } = row;
  return {
    ...{ number: place, place, messageId: row.message_id, changeId: row.change_id, kind: row.kind },
    ...{ recordId: row.record_id, attempts: row.tries ?? row.attempts.length, redelivery: false },
    recovered: row.recovered === true,
    ...{ pushedAt: row.created_at, text: null, readAt: performance.now() },
  };
}

type LogEntry = TakenEntry & { readonly again: boolean };

/** When the first of them is due; null without any. A message that was held back is due as soon as it is the first of its record. */
function firstDueOf(heads: readonly WebhookMessage[]): number | null {
  return heads.length === 0 ? null : Math.min(...heads.map(({ next_attempt_at }) => next_attempt_at ?? 0));
}

/** Whether an earlier message of its record is attempted now. */
function isBusy(
  { taken, back }: Progress,
  entries: readonly TakenEntry[],
  { record_id }: LoggedChange,
): boolean {
  for (const recordId of back.values()) if (recordId === record_id) return true;
  for (const { recordId } of taken.values()) if (recordId === record_id) return true;
  return entries.some(({ recordId }) => recordId === record_id);
}

/** The first ones keep their texts. */
function withinText(entries: TakenEntry[], most: number): TakenEntry[] {
  let left = most;
  return entries.map((entry) => {
    const isKept = left > 0 || entry.kind === TEST_KIND;
    left -= entry.text?.length ?? 0;
    return isKept ? entry : { ...entry, text: null };
  });
}
