import { setTimeout as sleep } from 'node:timers/promises';
import type { PublishedSubscription } from '@sluice/outbound/queue/published-subscription';
import type { ReceiverState, Turn, Turns } from '@sluice/outbound/queue/turn';
import type { AttemptRow } from '@sluice/store/outbound/webhook-message';
import { createLease, type Lease } from '../attempt/lease.ts';
import { type Finished, isFailing, nextState } from '../judge/next-state.ts';
import { type Attempt, type AttemptDeps, attemptAll, type EndedReply } from './attempt-all.ts';
import { entriesOfTurn, FEWEST_ENTRIES } from './entries-of-turn.ts';
import { createGather, GATHER_MS, MANY_TURNS } from './gather.ts';
import { createUsualText } from './text-portions.ts';
import type { Waiting } from './turn-slots.ts';

export interface RunTurnDeps extends AttemptDeps {
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

/** Attempts that are not settled yet, and the promise of their log. */
interface Batch {
  readonly attempts: readonly Attempt[];
  readonly logged: Promise<void>;
  readonly isLogged: () => boolean;
}

/** The attempts of a batch, and the state of the receiver after them. */
interface Ending {
  readonly finished: readonly Finished[];
  readonly state: ReceiverState;
  /** The turn was lost before its settlement. */
  readonly isLost: boolean;
}

const NOTHING: Batch = { attempts: [], logged: Promise.resolve(), isLogged: () => true };

/** Delivers what a subscription has due: attempts, then their log, then the settlement that takes more or ends the turn. */
export function createRunTurn(deps: RunTurnDeps): (turn: Turn, waiting: Waiting) => Promise<void> {
  const gather = createGather(GATHER_MS);
  return async (turn, waiting) => {
    const lease = createLease(turn.leaseUntil, () => deps.turns.renew(turn));
    const keeping = setInterval(() => void lease.keep(), KEEP_EVERY_MS);
    try {
      await runTurn({ ...deps, gather, now: steady(deps.now) }, turn, { lease, waiting });
    } finally {
      clearInterval(keeping);
    }
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
  const usual = createUsualText();
  const began = now();
  let { state, entries } = turn;
  let attempted = 0;
  let before = NOTHING;
  while (true) {
    const batch = await attemptBatch(deps, { turn, entries, state, usual, ...held });
    const { attempts } = batch;
    const isGone = attempts.some((one) => one.isGone);
    const finished = attempts.flatMap((one) => one.finished ?? []);
    const isReply = subscription.kind === 'reply';
    const known = { isReply, isFailing: subscription.paused === 'failing' };
    state = nextState(state, finished, { now: now(), random, ...known });
    attempted += attempts.length;
    const hasRoom = attempted < TURN_MESSAGES && now() - began < TURN_BUDGET_MS;
    const goesOn = hasRoom && !isGone && lease.stopped() === undefined && !stopping();
    // A failure or a resend is settled first, because what is taken next depends on it.
    const mayWait = goesOn && attempts.length > 0 && attempts.every(mayBeSettledLater);
    // The next message of a record waits for the settlement of the one before it.
    if (mayWait && attempts.length < FEW_MESSAGES && !subscription.ordered)
      await (deps.running() < MANY_TURNS ? sleep(GATHER_MS) : deps.gather());
    const waits = mayWait && !batch.isLogged() && !isSettledOnce(attempts, subscription, deps.running());
    await (waits ? before.logged : Promise.all([before.logged, batch.logged]));
    // What waits goes with it. The settlement is for a subscription that was changed meanwhile, so it stays.
    if (isGone) await deps.removeGone(subscription);
    const settled = await turns.settle(turn, {
      results: [...before.attempts, ...(waits ? [] : attempts)].map(({ result }) => result),
      ...{ state, more: goesOn ? wanted(state, deps.running()) : 0 },
    });
    before = waits ? batch : NOTHING;
    const isLost = settled.status === 'lost';
    await publishHealth(deps, subscription, { finished, state, isLost });
    if (settled.status !== 'go_on' || settled.entries.length + before.attempts.length === 0) return;
    entries = settled.entries;
    lease.extend(settled.leaseUntil);
  }
}

async function attemptBatch(deps: RunTurnDeps, taken: Parameters<typeof attemptAll>[1]): Promise<Batch> {
  const attempts = await attemptAll(deps, taken);
  let isLogged = false;
  const logged = logBatch(deps, attempts).then(() => {
    isLogged = true;
  });
  // If the turn fails for another reason, nothing waits for the log.
  logged.catch(() => undefined);
  return { attempts, logged, isLogged: () => isLogged };
}

/** Replies are told to their conversations once they are logged. */
async function logBatch(
  { logAttempts, settleReply }: RunTurnDeps,
  attempts: readonly Attempt[],
): Promise<void> {
  await logAttempts(attempts.flatMap(({ row }) => row ?? []));
  await Promise.all(attempts.map(({ reply }) => reply && settleReply(reply)));
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

/**
 * A success heals whatever the state was before: it may be lost, or an earlier success may not have been published. The state of a turn
 * that was lost is old: another dispatcher may have delivered a message since.
 */
async function publishHealth(
  { onHealth, now }: RunTurnDeps,
  subscription: PublishedSubscription,
  { finished, state, isLost }: Ending,
): Promise<void> {
  if (subscription.kind === 'reply') return;
  if (!isLost && subscription.paused !== 'failing' && isFailing(state, now(), finished))
    await onHealth(subscription, 'failing');
  if (subscription.paused === 'failing' && finished.some(({ delivered }) => delivered))
    await onHealth(subscription, 'healed');
}
