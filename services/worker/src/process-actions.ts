import { isNewerVersion } from '@sluice/contract/delivery/groups';
import type { Handled, TakenJob } from '@sluice/queue/consumer-worker';
import { createBatcher } from '@sluice/runtime/timing/batcher';
import type { ActiveGroup } from './active-group.ts';
import type { ApplyChannels } from './apply/apply-channels.ts';
import type { ApplyGroup } from './apply/apply-group.ts';
import type { Applied } from './apply/group-outcomes.ts';
import { isolateBugs } from './apply/isolate-bugs.ts';
import { idOf } from './apply/plan-work.ts';
import { createFinishGroup, type FinishGroupDeps } from './finish-group.ts';
import type { GroupObserver } from './group-observer.ts';
import { rowsOf, toProcessed } from './processed.ts';
import { readActions } from './take/read-actions.ts';
import { fieldsOf } from './take/untrusted-fields.ts';
import { StoppedWhileWaiting } from './wait/wait-out.ts';
import { isOfChannel, isOfEvent, outcomeOfAction, waitingActions } from './waiting-actions.ts';

export interface ProcessActionsDeps extends FinishGroupDeps {
  readonly applyGroup: ApplyGroup;
  /** Absent: no source is a channel. */
  readonly applyChannels?: ApplyChannels;
  readonly observer: GroupObserver;
  /** Trace id of the current group; undefined without tracing. */
  readonly traceId?: (() => string | undefined) | undefined;
}

/** Limits of a run, so that a job stays well within its lock. Such a run takes milliseconds with a nearby database. */
const MAX_GROUPS = 32;
const MAX_ACTIONS = 500;
/** Under load, the next run is read and folded while one run waits for MongoDB. */
const MAX_CONCURRENT_RUNS = 2;
/** With few waiting groups, a second concurrent run would only make the runs smaller. */
const HALF = 0.5;
/**
 * Prefetch limit in actions: one full run, or two concurrent runs of half the size. More would only wait in memory,
 * until V8 moves them to the old space (queue: job-allowance.ts).
 */
export const HELD_ACTIONS = MAX_ACTIONS;

/**
 * The path of a group through the worker: read, apply, log, finish. Groups that arrive meanwhile share one run.
 * Each step is idempotent, so a retried job, in part or as a whole, has the same effect as a single run.
 */
export function createProcessActions(deps: ProcessActionsDeps) {
  const { applyGroup, applyChannels = noChannels, log, observer, now, traceId } = deps;
  const apply = isolated(applyGroup, observer.bug);
  const { finish, isFresh } = createFinishGroup(deps);
  const runs = createBatcher<ActiveGroup, undefined>({
    run: process,
    sizeOf: ({ group }) => group.members.length,
    maxItems: MAX_GROUPS,
    maxSize: MAX_ACTIONS,
    maxRunning: MAX_CONCURRENT_RUNS,
    besideFrom: HALF,
  });

  async function process(active: readonly ActiveGroup[]): Promise<undefined[]> {
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
    return active.map(() => undefined);
  }

  return async ({ id, data }: TakenJob): Promise<Handled> => {
    const { v } = fieldsOf(data);
    if (isNewerVersion(v)) {
      observer.newer(v);
      return 'put_off';
    }
    try {
      const active: ActiveGroup = { group: readActions(data, id), payload: data, trace_id: traceId?.() };
      await runs.submit(active);
      return await finish(active);
    } catch (error) {
      if (error instanceof StoppedWhileWaiting) return 'give_back';
      throw error;
    }
  };
}

/** Applies a group of actions on events (see isolateBugs). */
function isolated(applyGroup: ApplyGroup, onBug: GroupObserver['bug']): ApplyGroup {
  return async (actions) => {
    const inOrder = [...actions].sort((a, b) => a.sequence - b.sequence);
    const applied = await isolateBugs(inOrder, () => applyGroup(actions), {
      alone: async (action) => (await applyGroup([action])).of(action),
      failed: (action, reason): Applied => ({ event_id: idOf(action), outcome: 'failed', reason }),
      onBug,
    });
    return 'of' in applied
      ? applied
      : { of: (action) => applied.get(action) as Applied, rounds: actions.length };
  };
}

const noChannels: ApplyChannels = async (actions) => {
  if (actions.length > 0) throw new Error('this process applies no actions of channels');
  return new Map();
};
