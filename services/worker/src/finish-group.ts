import { type AdmittedAction, type AnyAction, groupVersionOf } from '@sluice/contract/delivery/groups';
import type { Handled } from '@sluice/queue/consumer-worker';
import type { ActiveGroup } from './active-group.ts';
import { createBoundedMap } from './bounded-map.ts';
import { keptAgain } from './delivery-log/kept-again.ts';
import type { GroupObserver } from './group-observer.ts';
import type { DeadLetterBox, DeliveryLog } from './ports.ts';
import { type Processed, rowsOf, summaryOf } from './processed.ts';
import type { PublishResults } from './publish-results.ts';
import type { TakenActions } from './take/read-actions.ts';
import { fieldsOf } from './take/untrusted-fields.ts';
import type { WaitingAction } from './waiting-actions.ts';

export interface FinishGroupDeps {
  readonly deadLetters: DeadLetterBox;
  readonly log: DeliveryLog;
  /** How long the log keeps rows. Milliseconds. */
  readonly retentionMs: number;
  readonly observer: Pick<GroupObserver, 'applied' | 'waits'>;
  /** Absent: no sender waits for a result. */
  readonly publishResults?: PublishResults;
  /** Is given the actions of a group that wait, each time the group is put off. Absent: nothing bounds them. Must not throw. */
  readonly holdSources?: (actions: readonly AdmittedAction<AnyAction>[]) => void;
  readonly now: () => number;
}

/** A group that another worker finishes is never taken out, so the number is limited. */
const MOST_LOGGED = 10_000;

/** The last steps of a group, after its run: keep failures, log them, report the results. */
export function createFinishGroup(deps: FinishGroupDeps) {
  const { deadLetters, log, observer, publishResults, holdSources, retentionMs, now } = deps;
  /**
   * Deliveries already logged whose group isn't finished, because its dead letters can't be stored. Such a group is
   * retried. The log stores each row once, but the log's subscribers would count it with each retry.
   */
  const logged = createBoundedMap<true>(MOST_LOGGED);

  /**
   * Stores the failures as dead letters, then logs them. Each group does this separately. If the Redis with the dead
   * letters is unavailable, the other groups of the run still finish. Actions that wait are put off without the others.
   */
  async function finish({ group, payload, trace_id, result }: ActiveGroup): Promise<Handled> {
    if (result === undefined) throw new Error('a group can only be finished after its run');
    const { members, waiting, rounds, startedAt } = result;
    if (waiting.length > 0 && members.length === 0) return putOff(group, waiting);
    await keepFailed(members);
    await logRest(group, members);
    publishThose(members);
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

  async function keepFailed(members: readonly Processed[]): Promise<void> {
    try {
      for (const { failure, letterId, raw } of members) {
        if (failure === null) continue;
        await deadLetters.add(letterId, {
          v: groupVersionOf(fieldsOf(raw).action),
          failed_at: now(),
          reason: failure,
          action: raw,
        });
      }
    } catch (error) {
      const others = rowsOf(members.filter(({ failure }) => failure === null));
      for (const { delivery_id } of others) logged.set(delivery_id, true);
      throw error;
    }
  }

  /** The run has logged what did not fail. */
  async function logRest({ rerun }: TakenActions, members: readonly Processed[]): Promise<void> {
    const failed = members.filter(({ failure }) => failure !== null);
    if (rerun) await logAgain(members);
    else if (failed.length > 0) await log.insertDeliveries(rowsOf(failed));
    if (logged.size > 0) for (const { delivery_id } of rowsOf(members)) logged.delete(delivery_id);
  }

  /**
   * After a retry of dead letters, whose rows have the outcome `failed`. A letter is removed once its action is
   * applied.
   */
  async function logAgain(members: readonly Processed[]): Promise<void> {
    for (const { row, failure, letterId } of members) {
      if (row !== null) await log.replaceDelivery(keptAgain(row, { retentionMs, nowMs: now() }));
      if (failure === null) await deadLetters.remove(letterId);
    }
  }

  function publishThose(members: readonly Processed[]): void {
    const awaited = members.flatMap(({ awaited }) => awaited ?? []);
    if (awaited.length > 0) publishResults?.(awaited);
  }

  function putOff({ group_id }: TakenActions, waiting: readonly WaitingAction[]): 'put_off' {
    const recordIds = [...new Set(waiting.map(({ recordId }) => recordId))];
    observer.waits({ group_id, recordIds, actions: waiting.length });
    holdSources?.(waiting.map(({ action }) => action));
    return 'put_off';
  }

  return {
    finish,
    /** False for a delivery that an unfinished attempt at its group has logged. */
    isFresh: ({ delivery_id }: { readonly delivery_id: string }) => logged.get(delivery_id) === undefined,
  };
}

/**
 * The content of a job with only some of its actions, in the same version. `indexes` are those of readable actions in the
 * unpacked job. The lists of sequence numbers and repetitions go by index too (contract: ActionGroup).
 */
export function keepActions(payload: unknown, indexes: readonly number[]): unknown {
  const group = fieldsOf(payload);
  const kept: Record<string, unknown> = { ...group, actions: pick(group.actions, indexes) };
  if (Array.isArray(group.sequences)) kept.sequences = pick(group.sequences, indexes);
  const { repeated } = group;
  if (Array.isArray(repeated))
    kept.repeated = indexes.flatMap((index, position) => (repeated.includes(index) ? [position] : []));
  return kept;
}

function pick(list: unknown, indexes: readonly number[]): unknown[] {
  return Array.isArray(list) ? indexes.map((index) => list[index] as unknown) : [];
}
