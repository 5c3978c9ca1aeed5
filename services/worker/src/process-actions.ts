import { type AdmittedAction, type AnyAction, GROUP_VERSION, isNewerVersion } from '@sluice/contract/groups';
import type { Handled, TakenJob } from '@sluice/queue/consumer-worker';
import { createBoundedMap } from '@sluice/store/bounded-map';
import type { ApplyChannels } from './apply/apply-channels.ts';
import type { ApplyGroup } from './apply/apply-group.ts';
import { createGroupCommit } from './apply/group-commit.ts';
import { isolateBugs } from './apply/isolate-bugs.ts';
import type { DeadLetterBox } from './dead-letter-box.ts';
import type { DeliveryLog } from './delivery-log/delivery-log.ts';
import { keptAgain } from './delivery-log/kept-again.ts';
import type { GroupObserver } from './group-observer.ts';
import { type Processed, rowsOf, summaryOf, toProcessed } from './processed.ts';
import { keepActions } from './take/keep-actions.ts';
import { readActions, type TakenActions } from './take/read-actions.ts';
import { fieldsOf } from './take/untrusted-fields.ts';
import type { TellResults } from './tell-results.ts';
import { StoppedWhileWaiting } from './wait/wait-out.ts';
import {
  isOfChannel,
  isOfEvent,
  outcomeOfAction,
  type WaitingAction,
  waitingActions,
} from './waiting-actions.ts';

export interface ProcessActionsDeps {
  readonly applyGroup: ApplyGroup;
  /** Absent: no source is a channel. */
  readonly applyChannels?: ApplyChannels;
  readonly deadLetters: DeadLetterBox;
  readonly log: DeliveryLog;
  /** How long the log keeps rows. Milliseconds. */
  readonly retentionMs: number;
  readonly observer: GroupObserver;
  /** Absent: no sender waits for a result. */
  readonly tellResults?: TellResults;
  /** Is given the actions of a group that wait, each time the group is put off. Absent: nothing bounds them. Must not throw. */
  readonly holdSources?: (actions: readonly AdmittedAction<AnyAction>[]) => void;
  readonly now: () => number;
  /** Trace id of the current group; undefined without tracing. */
  readonly traceId?: (() => string | undefined) | undefined;
}

/** A group in progress. A run handles several groups, so each group carries its own trace id. */
interface ActiveGroup {
  readonly group: TakenActions;
  /** The content of its job. */
  readonly payload: unknown;
  readonly trace_id: string | undefined;
  /** Set once its run is over. */
  result?: RunResult;
}

interface RunResult {
  /** Those that don't wait. */
  readonly members: readonly Processed[];
  readonly waiting: readonly WaitingAction[];
  readonly rounds: number;
  readonly startedAt: number;
}

/** Limits of a run, so that a job stays well within its lock. Such a run takes milliseconds with a nearby database. */
const MAX_GROUPS = 32;
const MAX_ACTIONS = 500;
/** Under load, the next run is read and folded while one run waits for MongoDB. */
const MAX_CONCURRENT_RUNS = 2;
/**
 * Prefetch limit in actions: one full run, or two concurrent runs of half the size. More would only wait in memory,
 * until V8 moves them to the old space (queue: job-allowance.ts).
 */
export const HELD_ACTIONS = MAX_ACTIONS;

/** A group that another worker finishes is never taken out, so the number is limited. */
const MOST_LOGGED = 10_000;

/**
 * The path of a group through the worker: read, apply, keep failures, log. Groups that arrive meanwhile share one run.
 * Each step is idempotent, so a retried job, in part or as a whole, has the same effect as a single run.
 */
export function createProcessActions(deps: ProcessActionsDeps) {
  const { applyGroup, applyChannels = noChannels, deadLetters, log, observer, now, traceId } = deps;
  const { tellResults, holdSources, retentionMs } = deps;
  const apply = isolateBugs(applyGroup, observer.bug);
  const submit = createGroupCommit<ActiveGroup>({
    run: process,
    weightOf: ({ group }) => group.members.length,
    maxItems: MAX_GROUPS,
    maxWeight: MAX_ACTIONS,
    maxConcurrent: MAX_CONCURRENT_RUNS,
  });
  /**
   * Deliveries already logged whose group isn't finished, because its dead letters can't be stored. Such a group is
   * retried. The log stores each row once, but the log's subscribers would count it with each retry.
   */
  const logged = createBoundedMap<true>(MOST_LOGGED);
  const isFresh = ({ delivery_id }: { readonly delivery_id: string }) =>
    logged.get(delivery_id) === undefined;

  async function process(active: readonly ActiveGroup[]): Promise<void> {
    const startedAt = now();
    const readable = active.flatMap(({ group }) =>
      group.members.flatMap((member) => (member.status === 'readable' ? [member.action] : [])),
    );
    const [applied, channels] = await Promise.all([
      apply(readable.filter(isOfEvent)),
      applyChannels(readable.filter(isOfChannel)),
    ]);
    const results = { events: applied, channels };
    const appliedAt = now();
    for (const one of active) {
      const { group } = one;
      const waiting = waitingActions(group.members, results);
      const waits = new Set(waiting.map(({ index }) => index));
      const members = group.members
        .filter((_, index) => !waits.has(index))
        .map((member) => toProcessed(group, member, (of) => outcomeOfAction(of, results), appliedAt));
      one.result = { members, waiting, rounds: applied.rounds, startedAt };
    }
    const fresh = active.flatMap(({ group, result }) => (group.rerun ? [] : (result?.members ?? [])));
    const rows = rowsOf(fresh.filter(({ failure }) => failure === null));
    await log.insertDeliveries(rows.filter(isFresh));
  }

  /**
   * Stores the failures as dead letters, then logs them. Each group does this separately. If the Redis with the dead
   * letters is unavailable, the other groups of the run still finish. Actions that wait are put off without the others.
   */
  async function finish({ group, payload, trace_id, result }: ActiveGroup): Promise<Handled> {
    if (result === undefined) throw new Error('a group can only be finished after its run');
    const { members, waiting, rounds, startedAt } = result;
    if (waiting.length > 0 && members.length === 0) return putOff(group, waiting);
    const failed = members.filter(({ failure }) => failure !== null);
    try {
      await keepFailed(members);
    } catch (error) {
      const others = rowsOf(members.filter(({ failure }) => failure === null));
      for (const { delivery_id } of others) logged.set(delivery_id, true);
      throw error;
    }
    if (group.rerun) await logAgain(members);
    else if (failed.length > 0) await log.insertDeliveries(rowsOf(failed));
    if (logged.size > 0) for (const { delivery_id } of rowsOf(members)) logged.delete(delivery_id);
    tellThose(members);
    observer.applied({
      group_id: group.group_id,
      trace_id,
      rounds,
      duration_ms: now() - startedAt,
      ...summaryOf(members),
    });
    if (waiting.length === 0) return 'done';
    putOff(group, waiting);
    return {
      rest: keepActions(
        payload,
        waiting.map(({ index }) => index),
      ),
    };
  }

  function tellThose(members: readonly Processed[]): void {
    const told = members.flatMap(({ told }) => told ?? []);
    if (told.length > 0) tellResults?.(told);
  }

  function putOff({ group_id }: TakenActions, waiting: readonly WaitingAction[]): 'put_off' {
    const recordIds = [...new Set(waiting.map(({ recordId }) => recordId))];
    observer.waits({ group_id, recordIds, actions: waiting.length });
    holdSources?.(waiting.map(({ action }) => action));
    return 'put_off';
  }

  async function keepFailed(members: readonly Processed[]): Promise<void> {
    for (const { failure, letterId, raw } of members) {
      if (failure === null) continue;
      await deadLetters.add(letterId, { v: GROUP_VERSION, failed_at: now(), reason: failure, action: raw });
    }
  }

  /**
   * After a retry of dead letters, whose rows have the outcome `failed`. A letter is removed once its action is
   * applied.
   */
  async function logAgain(processed: readonly Processed[]): Promise<void> {
    for (const { row, failure, letterId } of processed) {
      if (row !== null) await log.replaceDelivery(keptAgain(row, { retentionMs, nowMs: now() }));
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
      const active: ActiveGroup = { group: readActions(data, id), payload: data, trace_id: traceId?.() };
      await submit(active);
      return await finish(active);
    } catch (error) {
      if (error instanceof StoppedWhileWaiting) return 'give_back';
      throw error;
    }
  };
}

const noChannels: ApplyChannels = async (actions) => {
  if (actions.length > 0) throw new Error('this process applies no actions of channels');
  return new Map();
};
