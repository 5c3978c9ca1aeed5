import { setTimeout as sleep } from 'node:timers/promises';
import type { PublishedSubscription } from '@sluice/outbound/queue/published-subscription';
import type { ReceiverState, TakenEntry, Turn, Turns } from '@sluice/outbound/queue/turn';
import type { AttemptRow } from '@sluice/store/outbound/webhook-message';
import { createLease, type Lease } from '../attempt/lease.ts';
import type { ReadText } from '../attempt/read-text.ts';
import { isFailing, nextState } from '../judge/next-state.ts';
import {
  type Attempt,
  type AttemptDeps,
  attempt,
  type EndedReply,
  givenBack,
  withoutText,
} from './attempt.ts';
import { createGather, GATHER_MS, MANY_TURNS } from './gather.ts';
import {
  createReadTexts,
  createTextBudget,
  entriesOfTurn,
  FEWEST_ENTRIES,
  type ReadTexts,
  type TextBudget,
  textsAtOnce,
} from './memory.ts';
import type { Waiting } from './turn-slots.ts';

/** What the attempts of a batch need. */
export interface BatchDeps extends AttemptDeps {
  /** For texts that were not taken with their messages. */
  readonly readText: ReadText;
  /** Shared by all turns. Default: each turn has its own. */
  readonly texts?: TextBudget;
  /** Whether the dispatcher stops: no further message is begun. */
  readonly stopping: () => boolean;
}

export interface RunTurnDeps extends BatchDeps {
  readonly turns: Pick<Turns, 'settle' | 'renew'>;
  /** The turns that run now, with those that wait for slow receivers. */
  readonly running: () => number;
  /** Resolves once the attempts are stored. */
  readonly logAttempts: (rows: readonly AttemptRow[]) => Promise<void>;
  /** The reply of a conversation was delivered, or failed finally. Resolves once its message says so. */
  readonly settleReply: (reply: EndedReply) => Promise<void>;
  /** The receiver is gone (410). Resolves once the subscription is removed. */
  readonly removeGone: (subscription: PublishedSubscription) => Promise<void>;
  /** Called when a receiver begins to fail permanently, or accepts a message again. */
  readonly onHealth: (subscription: PublishedSubscription, health: 'failing' | 'healed') => Promise<void>;
}

/** A turn goes to the back after so much, so that a busy subscription does not hold up the others. */
const TURN_MESSAGES = 2000;
const TURN_BUDGET_MS = 2000;
/** How often a turn is kept alive during long attempts. It is lost after 10 s. */
const KEEP_EVERY_MS = 3000;
/** Entries are taken for so many rounds of the current concurrency. */
const ROUNDS = 4;
/**
 * After fewer messages a turn waits a moment for more: each settlement and each log costs as much as several messages. Many turns
 * end their waits together, so they share a script.
 */
const FEW_MESSAGES = 16;

/** No attempt of a batch begins after this. The others go back: a receiver that hangs for 15 s each would hold its turn for minutes. */
const BEGIN_WITHIN_MS = 2000;

/** Attempts that are not settled yet, and the promise of their log. */
interface Logging {
  readonly attempts: readonly Attempt[];
  readonly logged: Promise<void>;
}

const NOTHING: Logging = { attempts: [], logged: Promise.resolve() };

/** Delivers what a subscription has due: attempts, then their log, then the settlement that takes more or ends the turn. */
export function createRunTurn(deps: RunTurnDeps): (turn: Turn, waiting: Waiting) => Promise<void> {
  const gather = createGather(GATHER_MS);
  return async (turn, waiting) => {
    const lease = createLease(turn.leaseUntil, () => deps.turns.renew(turn));
    const keeping = setInterval(() => void lease.keep(), KEEP_EVERY_MS);
    const run = runTurn({ ...deps, gather, now: steady(deps.now) }, turn, { lease, waiting });
    await run.finally(() => clearInterval(keeping));
  };
}

/** A clock that is read once, and goes on without jumps. A wait would otherwise be wrong if the clock is set before it is stored. */
function steady(now: () => number): () => number {
  const [began, since] = [now(), performance.now()];
  return () => Math.round(began + performance.now() - since);
}

/** A batch that was delivered is logged during the attempts of the next one, and settled together with what that one needs. */
async function runTurn(
  deps: RunTurnDeps & { gather(): Promise<void> },
  turn: Turn,
  held: { readonly lease: Lease; readonly waiting: Waiting },
): Promise<void> {
  const { turns, now, random, stopping } = deps;
  const { subscription } = turn;
  const { lease } = held;
  const read = createReadTexts();
  const began = now();
  const isReply = subscription.kind === 'reply';
  const wasFailing = subscription.paused === 'failing';
  let { state, entries } = turn;
  let attempted = 0;
  let before = NOTHING;
  while (true) {
    const attempts = await attemptAll(deps, { turn, entries, state, read, ...held });
    let isLogged = false;
    const logged = logBatch(deps, attempts).then(() => {
      isLogged = true;
    });
    // If the turn fails for another reason, nothing waits for the log.
    logged.catch(() => undefined);
    const isGone = attempts.some((one) => one.isGone);
    const finished = attempts.flatMap((one) => one.finished ?? []);
    state = nextState(state, finished, { now: now(), random, isReply, isFailing: wasFailing });
    attempted += attempts.length;
    const hasRoom = attempted < TURN_MESSAGES && now() - began < TURN_BUDGET_MS;
    const goesOn = hasRoom && !isGone && lease.stopped() === undefined && !stopping();
    // A failure or a resend is settled first, because what is taken next depends on it.
    const mayWait = goesOn && attempts.length > 0 && attempts.every(mayBeSettledLater);
    // The next message of a record waits for the settlement of the one before it.
    if (mayWait && attempts.length < FEW_MESSAGES && !subscription.ordered)
      await (deps.running() < MANY_TURNS ? sleep(GATHER_MS) : deps.gather());
    const waits = mayWait && !isLogged && !isSettledOnce(attempts, subscription, deps.running());
    await (waits ? before.logged : Promise.all([before.logged, logged]));
    // What waits goes with it. The settlement is for a subscription that was changed meanwhile, so it stays.
    if (isGone) await deps.removeGone(subscription);
    const settled = await turns.settle(turn, {
      results: [...before.attempts, ...(waits ? [] : attempts)].map(({ result }) => result),
      ...{ state, more: goesOn ? wanted(state, deps.running()) : 0 },
    });
    before = waits ? { attempts, logged } : NOTHING;
    if (!isReply) {
      // The state of a turn that was lost is old: another dispatcher may have delivered a message since.
      if (settled.status !== 'lost' && !wasFailing && isFailing(state, now(), finished))
        await deps.onHealth(subscription, 'failing');
      // A success heals whatever the state was before: it may be lost, or an earlier success may not have been published.
      if (wasFailing && finished.some(({ delivered }) => delivered))
        await deps.onHealth(subscription, 'healed');
    }
    if (settled.status !== 'go_on' || settled.entries.length + before.attempts.length === 0) return;
    entries = settled.entries;
    lease.extend(settled.leaseUntil);
  }
}

export interface Batch {
  readonly turn: Turn;
  readonly entries: readonly TakenEntry[];
  readonly state: ReceiverState;
  readonly lease: Lease;
  readonly waiting: Waiting;
  /** The texts that its turn has read. */
  readonly read?: ReadTexts;
}

/** Attempts each entry once, several at the same time. Those whose texts are read now are fewer if the texts are large. */
export async function attemptAll(deps: BatchDeps, batch: Batch): Promise<Attempt[]> {
  const { entries, state, waiting, read = createReadTexts() } = batch;
  const { texts = createTextBudget(() => 1) } = deps;
  const until = deps.now() + BEGIN_WITHIN_MS;
  const isRead = entries.some(({ text }) => text === null);
  const most = isRead ? textsAtOnce(read, texts.share()) : entries.length;
  const limit = Math.min(state.concurrency, entries.length, most);
  let [isBlocked, longest] = [false, 0];
  const attemptOne = async (entry: TakenEntry): Promise<Attempt> => {
    if (deps.stopping() || deps.now() > until) return givenBack(entry);
    const isTaken = entry.text !== null;
    const readAt = isTaken ? entry.readAt : performance.now();
    const text = entry.text ?? (await deps.readText(entry.changeId).catch(() => null));
    // MongoDB is away. The others of its turn must not fail with it.
    if (text === null) return givenBack(entry);
    if (text === undefined) return withoutText(deps, entry);
    if (!isTaken) longest = Math.max(longest, text.length);
    const release = texts.hold(isTaken ? 0 : text.length);
    const attempting = attempt(deps, batch, { ...entry, text, readAt }, ({ next }) => {
      // The log has what blocks all of them once.
      const isRepeated = isBlocked && next === 'blocked';
      isBlocked ||= next === 'blocked';
      return isRepeated;
    });
    const ended = await attempting.finally(release);
    waiting.begin(limit);
    return ended;
  };
  const release = texts.hold(entries.reduce((length, { text }) => length + (text?.length ?? 0), 0));
  if (entries.length > 0) waiting.begin(limit);
  try {
    return await mapConcurrently(entries, limit, attemptOne);
  } finally {
    release();
    waiting.end();
    if (longest > 0) read.longest = longest;
  }
}

/** Replies are told to their conversations first: nobody attempts again what is in the log, so a dispatcher that dies in between would never tell. */
async function logBatch(
  { logAttempts, settleReply }: RunTurnDeps,
  attempts: readonly Attempt[],
): Promise<void> {
  await Promise.all(attempts.map(({ reply }) => reply && settleReply(reply)));
  await logAttempts(attempts.flatMap(({ row }) => row ?? []));
}

/** The settlement of a resend removes the same message from what waits. Until then its retry could be taken. */
const mayBeSettledLater = ({ finished, result }: Attempt): boolean =>
  finished?.delivered === true && result.outcome !== 'resent';

/** Beside many other turns, a subscription that had few messages is settled once, after its log: it hardly has more by now. */
function isSettledOnce(
  attempts: readonly Attempt[],
  { ordered }: PublishedSubscription,
  running: number,
): boolean {
  return attempts.length < FEWEST_ENTRIES && running >= MANY_TURNS && !ordered;
}

function wanted({ probing, concurrency }: ReceiverState, running: number): number {
  return probing ? 1 : entriesOfTurn(concurrency * ROUNDS, running);
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
