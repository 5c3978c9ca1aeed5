import type { MessageStatus } from '@sluice/contract/subscription/webhook-delivery';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import type { PublishedSubscription } from '@sluice/outbound/queue/published-subscription';
import type { ReceiverState, Result, TakenEntry, Turn } from '@sluice/outbound/queue/turn';
import type { AttemptRow } from '@sluice/store/outbound/webhook-message';
import type { Deliver, Delivered, Sendable } from '../attempt/deliver.ts';
import type { Lease } from '../attempt/lease.ts';
import { type Judgement, judge } from '../judge/judge-response.ts';
import type { Finished } from '../judge/next-state.ts';
import { waitAfter, waitAtMost } from '../judge/schedule.ts';

export interface AttemptDeps {
  readonly deliver: Deliver;
  /** Called for each finished attempt, with what it makes of its message. */
  readonly onAttempt: (finished: FinishedAttempt) => void;
  /** Called for each message that ends because its text was erased or has expired. */
  readonly onNoText: () => void;
  /** Milliseconds since the Unix epoch. */
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

/** What an attempt belongs to. */
export interface Attempting {
  readonly turn: Pick<Turn, 'subscription' | 'token'>;
  readonly state: Pick<ReceiverState, 'probing'>;
  readonly lease: Lease;
}

const TOO_OLD = { kind: 'error', code: 'too_old' } as const;

/** Attempts one message once. `isRepeated`: an earlier attempt of its batch has logged what blocks all of them. */
export async function attempt(
  deps: AttemptDeps,
  { turn, state, lease }: Attempting,
  entry: Sendable,
  isRepeated: (judgement: Judgement) => boolean,
): Promise<Attempt> {
  const { subscription } = turn;
  const at = deps.now();
  const delivered: Delivered = isUseless(subscription, entry, at)
    ? { outcome: 'attempted', answer: TOO_OLD, at, durationMs: 0 }
    : await deps.deliver(subscription, entry, lease);
  switch (delivered.outcome) {
    case 'attempted': {
      const judgement = judge(delivered.answer, subscription.kind);
      if (isRepeated(judgement)) return givenBack(entry);
      return finish(deps, { turn, state }, entry, { ...delivered, judgement });
    }
    case 'no_text':
      return withoutText(deps, entry);
    case 'stopped':
      return givenBack(entry);
  }
}

export function givenBack({ number }: TakenEntry): Attempt {
  return { result: { number, outcome: 'given_back' } };
}

/** Nothing is left to send: its record was erased, or it waited for longer than texts are kept. */
export function withoutText({ onNoText }: Pick<AttemptDeps, 'onNoText'>, { number }: TakenEntry): Attempt {
  onNoText();
  return { result: { number, outcome: 'no_text' } };
}

type Judged = Delivered & { readonly outcome: 'attempted' } & { readonly judgement: Judgement };

function finish(
  deps: AttemptDeps,
  { turn, state: { probing } }: Pick<Attempting, 'turn' | 'state'>,
  entry: Sendable,
  judged: Judged,
): Attempt {
  const { subscription } = turn;
  const { judgement, durationMs } = judged;
  const now = deps.now();
  const outcome = outcomeOf(subscription, entry, judgement, { now, random: deps.random, probing });
  const isEphemeral = subscription.ephemeral_until !== null;
  const isGone =
    subscription.kind === 'webhook' &&
    (judgement.next === 'remove' || (isEphemeral && judgement.code === 'not_found'));
  const row = attemptRow(turn, entry, judged, outcome);
  deps.onAttempt({ subscription, entry, outcome, row });
  const wasSent = judgement.next !== 'wait' && judgement.next !== 'blocked';
  // A pause that ends after the reply itself would only delay its failure.
  const longestHoldMs = Math.max(0, lastAttemptAt(subscription, entry) - now);
  const finished: Finished = {
    recordId: entry.recordId,
    delivered: judgement.next === 'done',
    durationMs,
    holdMs: judgement.holdMs === undefined ? null : Math.min(judgement.holdMs, longestHoldMs),
    onlySuccessCounts: entry.redelivery || entry.kind === 'webhook.test' || !wasSent,
    isLost: outcome.isLost === true,
  };
  const reply = subscription.kind === 'reply' ? endedReply(entry.text, row) : undefined;
  // A resend may ask a busy host for a connection many times. The log has the first and the last time.
  const isRepeatedResend = entry.redelivery && entry.attempts > 0 && outcome.result.outcome === 'again';
  return { result: outcome.result, finished, isGone, reply, ...(!isRepeatedResend && { row }) };
}

function endedReply(text: string, { status, attempt }: AttemptRow): EndedReply | undefined {
  if (status !== 'delivered' && status !== 'failed') return undefined;
  const { data } = JSON.parse(`{${text}`) as { data: { id: string } };
  const delivered = status === 'delivered';
  return { messageId: data.id, delivered, reason: delivered ? null : attempt.sentence };
}

/**
 * A finished attempt for the log, which has each id once. A message that is given back was not sent, because its host is busy or no key
 * opens its secret. It is tried again every few seconds. So its id is the same each time, and the log has the first time only.
 */
function attemptRow(
  { subscription, token }: Pick<Turn, 'subscription' | 'token'>,
  entry: TakenEntry,
  { answer, at, durationMs, judgement }: Judged,
  outcome: MessageOutcome,
): AttemptRow {
  const { sentence } = judgement;
  const keepsBody = judgement.next !== 'done' || entry.kind === 'webhook.test';
  return {
    message_id: entry.messageId,
    account_id: subscription.account_id,
    subscription_id: subscription.subscription_id,
    change_id: entry.changeId,
    ...(entry.place !== undefined && { place: entry.place }),
    kind: entry.kind,
    record_id: entry.recordId,
    status: outcome.status === 'unchanged' ? 'failed' : outcome.status,
    status_stays: outcome.status === 'unchanged',
    ...(outcome.status === 'pending' && {
      tries: entry.attempts + (outcome.result.outcome === 'again' ? 1 : 0),
    }),
    next_attempt_at: outcome.nextAttemptAt,
    created_at: entry.pushedAt,
    attempt: {
      id: `${outcome.result.outcome === 'given_back' ? judgement.code : token}:${entry.number}`,
      at,
      duration_ms: durationMs,
      code: judgement.code,
      status: answer.kind === 'response' ? answer.status : null,
      sentence: outcome.because === undefined ? sentence : `${sentence} ${outcome.because}`,
      response: answer.kind === 'response' && keepsBody ? answer.body : null,
      redelivery: entry.redelivery || entry.recovered,
    },
  };
}

/** The state of a message after an attempt. */
export interface MessageOutcome {
  readonly result: Result;
  /** `unchanged`: a redelivery failed. Whatever the message was, it still is. */
  readonly status: MessageStatus | 'unchanged';
  /** Milliseconds since the Unix epoch; null if no further attempt follows. */
  readonly nextAttemptAt: number | null;
  /** Added to the sentence of the attempt. */
  readonly because?: string;
  /** It has failed because its last attempt has. */
  readonly isLost?: true;
}

interface Circumstances {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly random: () => number;
  /** Only one message at a time was tried when this attempt began, so it says nothing about this message. */
  readonly probing: boolean;
}

/** How often a resend is tried that cannot be sent. At a busy host it ends after eight minutes or later: each time it waits for 15 s. */
const RESEND_TRIES = 20;
/**
 * A resend passes all other messages of its subscription, and holds them up while it waits for a connection. So it waits for longer than they do,
 * and they have their turn.
 */
const RESEND_HOLDS = 2;

/** Decides what becomes of a message after an attempt. */
function outcomeOf(
  subscription: PublishedSubscription,
  entry: TakenEntry,
  judgement: Judgement,
  { now, random, probing }: Circumstances,
): MessageOutcome {
  const { number } = entry;
  const over = (status: MessageOutcome['status'], because?: string): MessageOutcome => ({
    result: { number, outcome: 'done' },
    status,
    nextAttemptAt: null,
    ...(because !== undefined && { because }),
  });
  if (judgement.next === 'done') {
    const delivered = over('delivered');
    return entry.redelivery ? { ...delivered, result: { number, outcome: 'resent' } } : delivered;
  }
  if (entry.redelivery && judgement.next === 'wait') {
    if (entry.attempts >= RESEND_TRIES - 1)
      return over('unchanged', `The resend has ended after ${RESEND_TRIES} tries.`);
    const dueAt = now + RESEND_HOLDS * (judgement.holdMs ?? 0);
    const result: Result = { number, outcome: 'again', dueAt };
    return { result, status: 'unchanged', nextAttemptAt: null, because: 'The resend is tried again.' };
  }
  if (entry.redelivery) return over('unchanged', 'A resend has one attempt.');
  if (judgement.next === 'remove') return over('failed');
  if (isTest(subscription, entry)) return over('failed', 'A test is not tried again.');
  const waits = judgement.next === 'wait' || judgement.next === 'blocked';
  const waitNext = probing ? waitAtMost : waitAfter;
  const wait = waits ? 0 : waitNext(entry.attempts + 1, random());
  if (wait === null) return { ...over('failed', 'This was the last attempt.'), isLost: true };
  const last = lastAttemptAt(subscription, entry);
  if (now >= last) return over('failed', `No further attempt within ${minutesOf(subscription)} minutes.`);
  const dueAt = Math.min(last, now + Math.max(wait, judgement.holdMs ?? 0));
  const result: Result = waits ? { number, outcome: 'given_back' } : { number, outcome: 'again', dueAt };
  return { result, status: 'pending', nextAttemptAt: dueAt };
}

/** An attempt lasts for up to 15 s. The last one begins early enough for its result to be known by the end. */
const BEFORE_END_MS = 20_000;

/** When the last attempt of a message is due at the latest: replies are of use for minutes. Milliseconds since the Unix epoch. */
function lastAttemptAt(
  { give_up_after_ms: giveUp }: PublishedSubscription,
  { pushedAt }: Pick<TakenEntry, 'pushedAt'>,
): number {
  return giveUp === null ? Number.POSITIVE_INFINITY : pushedAt + Math.max(0, giveUp - BEFORE_END_MS);
}

/** Whether a message is no longer of use, so that it must not leave. A resend is asked for by a person, at any time. */
function isUseless(
  { give_up_after_ms: giveUp }: PublishedSubscription,
  { pushedAt, redelivery }: TakenEntry,
  now: number,
): boolean {
  return giveUp !== null && !redelivery && now >= pushedAt + giveUp;
}

function minutesOf({ give_up_after_ms: giveUp }: PublishedSubscription): number {
  return Math.round((giveUp ?? 0) / MINUTE_MS);
}

/** Tests have one attempt: made-up messages, and all messages to an editor or to `sluice listen`. */
export function isTest(subscription: PublishedSubscription, entry: TakenEntry): boolean {
  return subscription.ephemeral_until !== null || entry.kind === 'webhook.test';
}
