import { DAY_MS, HOUR_MS } from '@sluice/contract/time/durations';
import { INITIAL_STATE, type ReceiverState } from '@sluice/outbound/queue/turn';
import { jittered, WAITS_MS } from './schedule.ts';

/** A finished attempt, as far as the health of its receiver is concerned. */
export interface Finished {
  readonly recordId: string;
  readonly delivered: boolean;
  readonly durationMs: number;
  /** How long the subscription pauses. Milliseconds. */
  readonly holdMs: number | null;
  /** A failure says nothing new about the receiver: a person asked for the attempt, or nothing was sent. */
  readonly onlySuccessCounts: boolean;
  /** This was the last attempt of a message, which has failed. */
  readonly isLost?: boolean;
}

export interface Circumstances {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly random: () => number;
  /** Its messages are of use for minutes, so a subscription of replies is never probed: that takes hours. */
  readonly isReply?: boolean;
  /** It is marked as failing already. */
  readonly isFailing?: boolean;
}

/** Failures of so many different records with no success between close the subscription. One bad message alone never does. */
const RECORDS_TO_PROBE = 5;
/** The time without a success after which the subscription is marked as failing. */
export const FAILING_AFTER_MS = 5 * DAY_MS;
const FAILING_PROBE_MS = HOUR_MS;
/** The attempts of a message last longer than this. If all fail, and others too, its receiver is marked as failing at once. */
const LOST_AFTER_MS = 60 * HOUR_MS;

export const MAX_CONCURRENCY = 16;
/** Answers within this let the concurrency grow, and slower ones than the second make it fall. */
const QUICK_MS = 1000;
const SLOW_MS = 5000;

/** The state of a subscription after the attempts of one batch, in the order in which they ended. */
export function nextState(
  before: ReceiverState,
  finished: readonly Finished[],
  circumstances: Circumstances,
): ReceiverState {
  const { now } = circumstances;
  return finished.reduce<ReceiverState>((state, one) => {
    if (one.delivered) return afterSuccess(state, one);
    // An attempt that was under way when others closed the subscription is no probe, so it must not make the wait longer.
    const isNoProbe = state.probing && !before.probing;
    return one.onlySuccessCounts || isNoProbe
      ? held(state, one, now)
      : afterFailure(state, one, circumstances);
  }, before);
}

function afterSuccess(state: ReceiverState, { durationMs }: Finished): ReceiverState {
  const grown = durationMs <= QUICK_MS ? state.concurrency + 1 : state.concurrency;
  return {
    ...INITIAL_STATE,
    concurrency: durationMs > SLOW_MS ? lowered(state.concurrency) : Math.min(MAX_CONCURRENCY, grown),
  };
}

function afterFailure(
  state: ReceiverState,
  one: Finished,
  { now, random, isReply = false, isFailing: wasFailing = false }: Circumstances,
): ReceiverState {
  const failedRecords = state.failedRecords.includes(one.recordId)
    ? state.failedRecords
    : [...state.failedRecords, one.recordId].slice(-RECORDS_TO_PROBE);
  const firstFailureAt = state.firstFailureAt ?? now;
  // A success of the same turn has healed it already.
  const stillFailing = wasFailing && state.firstFailureAt !== null;
  const failing = stillFailing || now - firstFailureAt >= FAILING_AFTER_MS;
  const probing = !isReply && (state.probing || failing || failedRecords.length >= RECORDS_TO_PROBE);
  const failed = {
    ...state,
    failedRecords,
    probing,
    firstFailureAt,
    concurrency: lowered(state.concurrency),
  };
  if (!probing) return held(failed, one, now);
  const planned = WAITS_MS[Math.min(state.round, WAITS_MS.length - 1)] as number;
  const wait = jittered(failing ? FAILING_PROBE_MS : planned, random());
  const probed = { ...failed, lastProbed: one.recordId, round: state.round + 1, notBefore: now + wait };
  return held(probed, one, now);
}

function held(state: ReceiverState, { holdMs }: Finished, now: number): ReceiverState {
  return holdMs === null ? state : { ...state, notBefore: Math.max(state.notBefore, now + holdMs) };
}

function lowered(concurrency: number): number {
  return Math.max(1, Math.floor(concurrency / 2));
}

/**
 * Whether a receiver has failed for so long that its owners are published. Few records never lead to a probe, so their last message may be
 * lost before the five days are over. Nothing would wait then, so nobody would learn of it.
 */
export function isFailing(
  { firstFailureAt }: ReceiverState,
  now: number,
  finished: readonly Pick<Finished, 'isLost'>[] = [],
): boolean {
  const afterMs = finished.some(({ isLost }) => isLost) ? LOST_AFTER_MS : FAILING_AFTER_MS;
  return firstFailureAt !== null && now - firstFailureAt >= afterMs;
}
