import type { Delivery, Outcome } from '@sluice/contract/delivery';
import { type AdmittedAction, GROUP_VERSION, isNewerVersion } from '@sluice/contract/groups';
import type { Handled, TakenJob } from '@sluice/queue/consumer-worker';
import type { ApplyGroup } from './apply/apply-group.ts';
import { createGroupCommit } from './apply/group-commit.ts';
import { isolateBugs } from './apply/isolate-bugs.ts';
import type { DeadLetterBox } from './dead-letter-box.ts';
import type { DeliveryLog } from './delivery-log/delivery-log.ts';
import { rowOfAction, rowOfUnreadable } from './delivery-log/delivery-rows.ts';
import type { GroupDone, GroupObserver } from './group-observer.ts';
import { readActions, type TakenAction, type TakenActions } from './take/read-actions.ts';
import { fieldsOf } from './take/untrusted-fields.ts';
import { StoppedWhileWaiting } from './wait/wait-out.ts';

export interface ProcessActionsDeps {
  readonly applyGroup: ApplyGroup;
  readonly deadLetters: DeadLetterBox;
  readonly log: DeliveryLog;
  readonly observer: GroupObserver;
  readonly now: () => number;
  /** Of the group that is being taken; undefined where it is not traced. */
  readonly traceId?: (() => string | undefined) | undefined;
}

/** A member of the group with its row in the log, and why it failed, if it did. */
interface Processed {
  readonly raw: unknown;
  readonly letterId: string;
  /** Null where not even the owner of the request could be told. */
  readonly row: Delivery | null;
  readonly failure: string | null;
}

/** A group on its way. A run is begun by one of its groups or after another run, so each brings the trace that it is told of in. */
interface UnderWay {
  readonly group: TakenActions;
  readonly trace_id: string | undefined;
  /** What came of it; there once its run is over. */
  came?: Came;
}

interface Came {
  readonly members: readonly Processed[];
  readonly rounds: number;
  readonly startedAt: number;
}

/** A job should stay well within its lock; these are some milliseconds of a database nearby. */
const MAX_GROUPS = 32;
const MAX_ACTIONS = 500;
/** While one run waits for MongoDB, the next one is read and folded, where there is much to do. */
const ABREAST = 2;
/**
 * About so many actions are taken before those before them are done: a run that fills up, or two of half its size abreast.
 * More would only wait in memory, until V8 takes them for what is there to stay (queue: job-allowance.ts).
 */
export const HELD_ACTIONS = MAX_ACTIONS;

/** How many actions a job of the queue `actions` carries. */
export function actionsIn(data: unknown): number {
  const { actions } = fieldsOf(data);
  return Array.isArray(actions) ? actions.length : 1;
}

/**
 * The way of a group through the worker: read, apply, keep what failed, log. Groups that are taken meanwhile go through
 * it together. Each step may be repeated without harm, so a job that is run again, in part or as a whole, leaves state
 * and log as one run does.
 */
export function createProcessActions(deps: ProcessActionsDeps) {
  const { applyGroup, deadLetters, log, observer, now, traceId } = deps;
  const apply = isolateBugs(applyGroup);
  const submit = createGroupCommit<UnderWay>({
    run: process,
    weightOf: ({ group }) => group.members.length,
    maxItems: MAX_GROUPS,
    maxWeight: MAX_ACTIONS,
    abreast: ABREAST,
  });
  /**
   * Deliveries that are in the log and whose group is not finished, as its dead letters cannot be kept. Such a group is
   * tried again and again: the log would take each row once, but whoever listens to it would count it each time.
   */
  const logged = new Set<string>();

  async function process(underWay: readonly UnderWay[]): Promise<void> {
    const startedAt = now();
    const readable = underWay.flatMap(({ group }) =>
      group.members.flatMap((member) => (member.status === 'readable' ? [member.action] : [])),
    );
    const result = await apply(readable);
    const appliedAt = now();
    for (const one of underWay) {
      const members = one.group.members.map((member) => toProcessed(one.group, member, result.of, appliedAt));
      one.came = { members, rounds: result.rounds, startedAt };
    }
    const fresh = underWay.flatMap(({ group, came }) => (group.rerun ? [] : (came?.members ?? [])));
    const rows = rowsOf(fresh.filter(({ failure }) => failure === null));
    await log.insertDeliveries(rows.filter(({ delivery_id }) => !logged.has(delivery_id)));
  }

  /**
   * What failed is kept, and then logged. Each group does so by itself: where the one Redis is away that has the dead
   * letters, the groups that went through the run with it are done all the same.
   */
  async function finish({ group, trace_id, came }: UnderWay): Promise<void> {
    if (came === undefined) throw new Error('a group is finished once its run is over');
    const { members, rounds, startedAt } = came;
    const failed = members.filter(({ failure }) => failure !== null);
    const others = failed.length === 0 ? [] : rowsOf(members.filter(({ failure }) => failure === null));
    try {
      await keepFailed(members);
    } catch (error) {
      for (const { delivery_id } of others) logged.add(delivery_id);
      throw error;
    }
    if (group.rerun) await logAgain(members);
    else if (failed.length > 0) await log.insertDeliveries(rowsOf(failed));
    for (const { delivery_id } of others) logged.delete(delivery_id);
    observer.applied({
      group_id: group.group_id,
      trace_id,
      rounds,
      duration_ms: now() - startedAt,
      ...whatBecameOf(members),
    });
  }

  async function keepFailed(members: readonly Processed[]): Promise<void> {
    for (const { failure, letterId, raw } of members) {
      if (failure === null) continue;
      await deadLetters.add(letterId, { v: GROUP_VERSION, failed_at: now(), reason: failure, action: raw });
    }
  }

  /** A second try of dead letters: the rows say `failed` already. The letter goes only once its action is applied. */
  async function logAgain(processed: readonly Processed[]): Promise<void> {
    for (const { row, failure, letterId } of processed) {
      if (row !== null) await log.replaceDelivery(row);
      if (failure === null) await deadLetters.remove(letterId);
    }
  }

  return async ({ id, data }: TakenJob): Promise<Handled> => {
    const { v } = fieldsOf(data);
    if (isNewerVersion(v)) {
      observer.newer(v);
      return 'put_off';
    }
    try {
      const underWay: UnderWay = { group: readActions(data, id), trace_id: traceId?.() };
      await submit(underWay);
      await finish(underWay);
      return 'done';
    } catch (error) {
      if (error instanceof StoppedWhileWaiting) return 'give_back';
      throw error;
    }
  };
}

type OutcomeOf = Awaited<ReturnType<ApplyGroup>>['of'];

function toProcessed(
  { rerunLetterId }: TakenActions,
  member: TakenAction,
  outcomeOf: OutcomeOf,
  appliedAt: number,
): Processed {
  switch (member.status) {
    case 'unreadable': {
      const { raw, letterId, reason } = member;
      return { raw, letterId, row: rowOfUnreadable(raw, reason, appliedAt), failure: reason };
    }
    case 'readable': {
      const { action } = member;
      const { event_id, outcome, reason } = outcomeOf(action);
      const logged = { event_id, reason, outcome: loggedOutcome(action, outcome) };
      const row = rowOfAction(action, logged, appliedAt);
      const failure = outcome === 'failed' ? (reason ?? 'no reason given') : null;
      return { raw: action, letterId: rerunLetterId ?? action.delivery_id, row, failure };
    }
  }
}

/** A repeated request is logged as such even if it was the one that took effect; the first keeps the true outcome. */
function loggedOutcome({ duplicate_of }: AdmittedAction, outcome: Outcome): Outcome {
  return duplicate_of !== null && outcome !== 'failed' ? 'duplicate' : outcome;
}

/** Of those whose owner could be told. */
function rowsOf(processed: readonly Processed[]): Delivery[] {
  return processed.flatMap(({ row }) => (row === null ? [] : [row]));
}

function whatBecameOf(
  processed: readonly Processed[],
): Pick<GroupDone, 'sourceIds' | 'outcomes' | 'failures'> {
  return {
    sourceIds: [...new Set(processed.flatMap(({ row }) => row?.source_id ?? []))],
    outcomes: processed.map(({ row }) => ({
      outcome: row?.outcome ?? 'failed',
      received_at: row?.received_at ?? null,
    })),
    failures: processed.flatMap(({ letterId: delivery_id, failure: reason }) =>
      reason === null ? [] : [{ delivery_id, reason }],
    ),
  };
}
