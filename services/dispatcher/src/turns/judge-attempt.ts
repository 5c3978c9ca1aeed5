import type { MessageStatus } from '@sluice/contract/subscription/webhook-delivery';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import type { PublishedSubscription } from '@sluice/outbound/queue/published-subscription';
import type { Result, TakenEntry } from '@sluice/outbound/queue/turn';
import type { Judgement } from '../judge/judge-response.ts';
import { waitAfter, waitAtMost } from '../judge/schedule.ts';

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
export function outcomeOf(
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
export function lastAttemptAt(
  { give_up_after_ms: giveUp }: PublishedSubscription,
  { pushedAt }: Pick<TakenEntry, 'pushedAt'>,
): number {
  return giveUp === null ? Number.POSITIVE_INFINITY : pushedAt + Math.max(0, giveUp - BEFORE_END_MS);
}

/** Whether a message is no longer of use, so that it must not leave. A resend is asked for by a person, at any time. */
export function isUseless(
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
