import type { PublishedSubscription } from '@sluice/mailboxes/published-subscription';
import type { MailboxState, Result, TakenEntry, Turn } from '@sluice/mailboxes/turn';
import type { Turns } from '@sluice/mailboxes/turns';
import type { AttemptRow } from '@sluice/store/webhook-messages';
import type { Deliver, Delivered } from '../attempt/deliver.ts';
import { createLease, type Lease } from '../attempt/lease.ts';
import { judge } from '../judge/judge-response.ts';
import { type Finished, isFailing, nextState } from '../judge/next-state.ts';
import { type MessageOutcome, outcomeOf } from './judge-attempt.ts';
import { mapConcurrently } from './map-concurrently.ts';

export interface RunTurnDeps {
  readonly mailboxes: Pick<Turns, 'settle' | 'renew'>;
  readonly deliver: Deliver;
  /** Texts that Redis no longer has. An erased change has none. */
  readonly findTexts: (changeIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Resolves once the attempts are stored. */
  readonly logAttempts: (rows: readonly AttemptRow[]) => Promise<void>;
  /** Called for each finished attempt, with what it makes of its message. */
  readonly onAttempt: (finished: FinishedAttempt) => void;
  /** The reply of a conversation was delivered, or failed finally. Resolves once its message says so. */
  readonly settleReply: (reply: EndedReply) => Promise<void>;
  /** The receiver is gone (410). Resolves once the subscription is removed. */
  readonly removeGone: (subscription: PublishedSubscription) => Promise<void>;
  /** Called when a receiver begins to fail permanently, or accepts a message again. */
  readonly onHealth: (subscription: PublishedSubscription, health: 'failing' | 'healed') => Promise<void>;
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

/** A turn goes to the back after so much, so that a busy subscription does not hold up the others. */
const TURN_MESSAGES = 500;
const TURN_BUDGET_MS = 2000;
/** How often a turn is kept alive during long attempts. It is lost after 10 s. */
const KEEP_EVERY_MS = 3000;
/** Entries are taken for so many rounds of the current concurrency. */
const ROUNDS = 4;

/** Delivers what a mailbox has due: attempts, then their log, then the settlement that takes more or ends the turn. */
export function createRunTurn(deps: RunTurnDeps): (turn: Turn) => Promise<void> {
  const { mailboxes, now, random, stopping } = deps;

  return async (turn) => {
    const { subscription } = turn;
    const lease = createLease(turn.leaseUntil, () => mailboxes.renew(turn));
    const keeping = setInterval(() => void lease.keep(), KEEP_EVERY_MS);
    const began = now();
    let state = turn.state;
    let entries = turn.entries;
    let attempted = 0;
    try {
      while (true) {
        const attempts = await attemptAll(deps, { turn, entries, state, lease });
        await deps.logAttempts(attempts.flatMap(({ row }) => row ?? []));
        await Promise.all(attempts.map(({ reply }) => reply && deps.settleReply(reply)));
        // Its mailbox goes with it. The settlement is for a subscription that was changed meanwhile, so it stays.
        const isGone = attempts.some((one) => one.isGone);
        if (isGone) await deps.removeGone(subscription);
        const before = state;
        state = nextState(
          state,
          attempts.flatMap(({ finished }) => finished ?? []),
          { now: now(), random },
        );
        attempted += attempts.length;
        const goesOn =
          !isGone &&
          lease.stopped() === undefined &&
          !stopping() &&
          attempted < TURN_MESSAGES &&
          now() - began < TURN_BUDGET_MS;
        const more = goesOn ? wanted(state) : 0;
        const results = attempts.map(({ result }) => result);
        const settled = await mailboxes.settle(turn, { results, state, more });
        await tellHealth(deps, subscription, before, state);
        if (settled.status !== 'go_on' || settled.entries.length === 0) return;
        entries = settled.entries;
        lease.extend(settled.leaseUntil);
      }
    } finally {
      clearInterval(keeping);
    }
  };
}

function wanted({ probing, concurrency }: MailboxState): number {
  return probing ? 1 : concurrency * ROUNDS;
}

interface Attempt {
  readonly result: Result;
  /** Undefined: nothing was sent. */
  readonly finished?: Finished;
  readonly row?: AttemptRow;
  readonly isGone?: boolean;
  readonly reply?: EndedReply | undefined;
}

interface Batch {
  readonly turn: Turn;
  readonly entries: readonly TakenEntry[];
  readonly state: MailboxState;
  readonly lease: Lease;
}

async function attemptAll(deps: RunTurnDeps, { turn, entries, state, lease }: Batch): Promise<Attempt[]> {
  const missing = entries.filter(({ text }) => text === null).map(({ changeId }) => changeId);
  const texts = missing.length === 0 ? new Map<string, string>() : await deps.findTexts(missing);
  return mapConcurrently(entries, state.concurrency, async (entry) => {
    const { number } = entry;
    const text = entry.text ?? texts.get(entry.changeId);
    if (text === undefined) return { result: { number, outcome: 'done' } };
    if (deps.stopping()) return { result: { number, outcome: 'given_back' } };
    const delivered = await deps.deliver(turn.subscription, { ...entry, text }, lease);
    return delivered.outcome === 'attempted'
      ? finish(deps, turn, { ...entry, text }, delivered)
      : { result: { number, outcome: 'given_back' } };
  });
}

function finish(
  deps: RunTurnDeps,
  { subscription, token }: Turn,
  entry: TakenEntry & { readonly text: string },
  { answer, at, durationMs }: Delivered & { outcome: 'attempted' },
): Attempt {
  const judgement = judge(answer);
  const outcome = outcomeOf(subscription, entry, judgement, { now: deps.now(), random: deps.random });
  const isTest = subscription.ephemeral_until !== null;
  const tested = entry.kind === 'webhook.test';
  const isGone =
    subscription.kind === 'webhook' &&
    (judgement.next === 'remove' || (isTest && judgement.code === 'not_found'));
  const row: AttemptRow = {
    message_id: entry.messageId,
    account_id: subscription.account_id,
    subscription_id: subscription.subscription_id,
    change_id: entry.changeId,
    kind: entry.kind,
    record_id: entry.recordId,
    status: outcome.status === 'unchanged' ? 'failed' : outcome.status,
    status_stays: outcome.status === 'unchanged',
    next_attempt_at: outcome.nextAttemptAt,
    created_at: entry.pushedAt,
    attempt: {
      id: `${token}:${entry.number}`,
      at,
      duration_ms: durationMs,
      code: judgement.code,
      status: answer.kind === 'response' ? answer.status : null,
      sentence:
        outcome.because === undefined ? judgement.sentence : `${judgement.sentence} ${outcome.because}`,
      response: answer.kind === 'response' && (judgement.next !== 'done' || tested) ? answer.body : null,
      redelivery: entry.redelivery || entry.recovered,
    },
  };
  deps.onAttempt({ subscription, entry, outcome, row });
  const { recordId } = entry;
  // The failure of one message that was asked for says nothing new about the receiver.
  const redelivery = entry.redelivery || tested;
  const holdMs = judgement.holdMs ?? null;
  const finished = { recordId, delivered: judgement.next === 'done', durationMs, holdMs, redelivery };
  const reply = subscription.kind === 'reply' ? endedReply(entry.text, row) : undefined;
  return { result: outcome.result, finished, row, isGone, reply };
}

function endedReply(text: string, { status, attempt }: AttemptRow): EndedReply | undefined {
  if (status !== 'delivered' && status !== 'failed') return undefined;
  const { data } = JSON.parse(`{${text}`) as { data: { id: string } };
  const delivered = status === 'delivered';
  return { messageId: data.id, delivered, reason: delivered ? null : attempt.sentence };
}

async function tellHealth(
  { onHealth, now }: RunTurnDeps,
  subscription: PublishedSubscription,
  before: MailboxState,
  after: MailboxState,
): Promise<void> {
  if (subscription.kind === 'reply') return;
  if (subscription.paused !== 'failing' && isFailing(after, now())) await onHealth(subscription, 'failing');
  if (subscription.paused === 'failing' && before.firstFailureAt !== null && after.firstFailureAt === null)
    await onHealth(subscription, 'healed');
}
