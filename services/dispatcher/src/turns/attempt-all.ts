import type { PublishedSubscription } from '@sluice/outbound/queue/published-subscription';
import type { ReceiverState, Result, TakenEntry, Turn } from '@sluice/outbound/queue/turn';
import type { AttemptRow } from '@sluice/store/outbound/webhook-message';
import type { Deliver, Delivered, Sendable } from '../attempt/deliver.ts';
import type { Lease } from '../attempt/lease.ts';
import { type Judgement, judge } from '../judge/judge-response.ts';
import type { Finished } from '../judge/next-state.ts';
import { attemptRow, isLogged } from './attempt-row.ts';
import { isUseless, lastAttemptAt, type MessageOutcome, outcomeOf } from './judge-attempt.ts';
import { createUsualText, portionOf, type TextBudget, type UsualText } from './text-portions.ts';
import type { Waiting } from './turn-slots.ts';

export interface AttemptDeps {
  readonly deliver: Deliver;
  /** Texts that Redis no longer has. An erased change has none. */
  readonly findTexts: (changeIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Called for each finished attempt, with what it makes of its message. */
  readonly onAttempt: (finished: FinishedAttempt) => void;
  /** Called for each message that ends because its text was erased or has expired. */
  readonly onNoText: () => void;
  /** Shared by all turns. Default: each turn has its own. */
  readonly texts?: TextBudget;
  /** Whether the dispatcher stops: no further message is begun. */
  readonly stopping: () => boolean;
  readonly now: () => number;
  readonly random: () => number;
}

export interface FinishedAttempt {
  readonly subscription: PublishedSubscription;
  readonly entry: TakenEntry;
  readonly outcome: MessageOutcome;
  readonly row: AttemptRow;
}

/** A reply whose last attempt has ended. */
export interface EndedReply {
  /** The id of the message in its conversation. */
  readonly messageId: string;
  readonly delivered: boolean;
  /** Why it failed, in a sentence. */
  readonly reason: string | null;
}

/** The outcome of one entry that was taken. */
export interface Attempt {
  readonly result: Result;
  /** Undefined: nothing was sent. */
  readonly finished?: Finished;
  readonly row?: AttemptRow;
  readonly isGone?: boolean;
  readonly reply?: EndedReply | undefined;
}

export interface Batch {
  readonly turn: Turn;
  readonly entries: readonly TakenEntry[];
  readonly state: ReceiverState;
  readonly lease: Lease;
  readonly waiting: Waiting;
  /** The lengths of the texts that its turn has read. */
  readonly usual?: UsualText;
}

/** No attempt of a batch begins after this. The others go back: a receiver that hangs for 15 s each would hold its turn for minutes. */
const BEGIN_WITHIN_MS = 2000;

const NO_TEXTS: ReadonlyMap<string, string> = new Map();
const TOO_OLD = { kind: 'error', code: 'too_old' } as const;

/** Attempts each entry once, several at the same time. Large texts are read in portions, so that a turn holds few of them. */
export async function attemptAll(deps: AttemptDeps, batch: Batch): Promise<Attempt[]> {
  const { entries, waiting, usual = createUsualText() } = batch;
  const until = deps.now() + BEGIN_WITHIN_MS;
  const blocking = { isBlocked: false };
  const attempts: Attempt[] = [];
  const release = deps.texts?.hold(lengthOf(entries.map(({ text }) => text)));
  try {
    while (attempts.length < entries.length) {
      const left = entries.slice(attempts.length);
      const portion = left.slice(0, portionOf(left, usual.length(), deps.texts?.share()));
      const isLate = attempts.length > 0 && deps.now() > until;
      const readAt = performance.now();
      const texts = isLate ? undefined : await readTexts(deps, portion).catch(unlessFirst(attempts));
      if (texts === undefined) return [...attempts, ...left.map(givenBack)];
      usual.saw(texts.values());
      const releaseRead = deps.texts?.hold(lengthOf(texts.values()));
      const attempted = attemptPortion(deps, batch, { portion, texts, readAt, until, blocking });
      attempts.push(...(await attempted.finally(releaseRead)));
    }
  } finally {
    release?.();
    waiting.end();
  }
  return attempts;
}

function lengthOf(texts: Iterable<string | null>): number {
  let length = 0;
  for (const text of texts) length += text?.length ?? 0;
  return length;
}

/** Finished attempts are settled also if the next texts cannot be read. The next turn fails then. */
function unlessFirst(attempts: readonly Attempt[]) {
  return (error: unknown): undefined => {
    if (attempts.length === 0) throw error;
  };
}

interface Portion {
  readonly portion: readonly TakenEntry[];
  /** The texts that Redis did not return. */
  readonly texts: ReadonlyMap<string, string>;
  /** An instant of performance.now() before they were read. */
  readonly readAt: number;
  /** No attempt begins after this. */
  readonly until: number;
  /** Whether an attempt of the batch was blocked. */
  readonly blocking: { isBlocked: boolean };
}

async function readTexts(
  { findTexts }: AttemptDeps,
  portion: readonly TakenEntry[],
): Promise<ReadonlyMap<string, string>> {
  const missing = portion.filter(({ text }) => text === null).map(({ changeId }) => changeId);
  return missing.length === 0 ? NO_TEXTS : findTexts(missing);
}

function attemptPortion(
  deps: AttemptDeps,
  { turn, state, lease, waiting }: Batch,
  { portion, texts, readAt, until, blocking }: Portion,
): Promise<Attempt[]> {
  const requests = Math.min(state.concurrency, portion.length);
  waiting.begin(requests);
  const attempt = async (entry: TakenEntry): Promise<Attempt> => {
    const text = entry.text ?? texts.get(entry.changeId);
    if (text === undefined) return withoutText(deps, entry);
    const sendable = { ...entry, text, readAt: entry.text === null ? readAt : entry.readAt };
    if (deps.stopping() || deps.now() > until) return givenBack(entry);
    const delivered = isUseless(turn.subscription, entry, deps.now())
      ? ({ outcome: 'attempted', answer: TOO_OLD, at: deps.now(), durationMs: 0 } as const)
      : await deps.deliver(turn.subscription, sendable, lease);
    waiting.begin(requests);
    switch (delivered.outcome) {
      case 'attempted': {
        const judgement = judge(delivered.answer, turn.subscription.kind);
        // The log has what blocks all of them once.
        if (blocking.isBlocked && judgement.next === 'blocked') return givenBack(entry);
        blocking.isBlocked ||= judgement.next === 'blocked';
        return finish(deps, { turn, state }, sendable, { ...delivered, judgement });
      }
      case 'no_text':
        return withoutText(deps, entry);
      case 'stopped':
        return givenBack(entry);
    }
  };
  return mapConcurrently(portion, state.concurrency, attempt);
}

function givenBack({ number }: TakenEntry): Attempt {
  return { result: { number, outcome: 'given_back' } };
}

/** Nothing is left to send: its record was erased, or it waited for longer than texts are kept. */
function withoutText({ onNoText }: AttemptDeps, { number }: TakenEntry): Attempt {
  onNoText();
  return { result: { number, outcome: 'done' } };
}

type Judged = Delivered & { readonly outcome: 'attempted' } & { readonly judgement: Judgement };

function finish(
  deps: AttemptDeps,
  { turn, state: { probing } }: Pick<Batch, 'turn' | 'state'>,
  entry: Sendable,
  { answer, at, durationMs, judgement }: Judged,
): Attempt {
  const { subscription } = turn;
  const now = deps.now();
  const outcome = outcomeOf(subscription, entry, judgement, { now, random: deps.random, probing });
  const isEphemeral = subscription.ephemeral_until !== null;
  const isGone =
    subscription.kind === 'webhook' &&
    (judgement.next === 'remove' || (isEphemeral && judgement.code === 'not_found'));
  const row = attemptRow(turn, entry, { answer, at, durationMs, judgement, outcome });
  deps.onAttempt({ subscription, entry, outcome, row });
  const { recordId } = entry;
  const wasSent = judgement.next !== 'wait' && judgement.next !== 'blocked';
  const onlySuccessCounts = entry.redelivery || entry.kind === 'webhook.test' || !wasSent;
  // A pause that ends after the reply itself would only delay its failure.
  const holdMs =
    judgement.holdMs === undefined
      ? null
      : Math.max(0, Math.min(judgement.holdMs, lastAttemptAt(subscription, entry) - now));
  const { isLost = false } = outcome;
  const judged = { recordId, delivered: judgement.next === 'done', durationMs, holdMs };
  const finished = { ...judged, onlySuccessCounts, isLost };
  const reply = subscription.kind === 'reply' ? endedReply(entry.text, row) : undefined;
  const { result } = outcome;
  return { result, finished, isGone, reply, ...(!isLogged(entry, result) ? {} : { row }) };
}

function endedReply(text: string, { status, attempt }: AttemptRow): EndedReply | undefined {
  if (status !== 'delivered' && status !== 'failed') return undefined;
  const { data } = JSON.parse(`{${text}`) as { data: { id: string } };
  const delivered = status === 'delivered';
  return { messageId: data.id, delivered, reason: delivered ? null : attempt.sentence };
}

/** Maps items in their order, at most `limit` at once. Rejects if one does, after the others have ended. */
async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  map: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      results[index] = await map(items[index] as T);
    }
  };
  const workers = Array.from({ length: Math.min(limit, items.length) }, work);
  const ended = await Promise.allSettled(workers);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return results;
}
