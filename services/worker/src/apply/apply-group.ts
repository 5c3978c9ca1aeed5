import type { AdmittedAction } from '@sluice/contract/delivery/groups';
import type { EventWriteResult } from '@sluice/store/events/event-document';
import { isFull } from '@sluice/store/events/event-pending';
import type { EventStore } from '../ports.ts';
import { type EventWork, type FoldedEvent, foldEvent } from './fold-event.ts';
import { type Applied, createGroupOutcomes, type GroupOutcomes } from './group-outcomes.ts';
import { planWork } from './plan-work.ts';
import { createWriteEvents, type EventPublishing } from './write-events.ts';

export interface ApplyGroupDeps {
  readonly events: EventStore;
  /** Waits longer with each round, so that racing workers don't stay in step. */
  readonly backoff: (round: number) => Promise<void>;
  /**
   * Called after every hundred lost rounds: another writer keeps changing the same events, or MongoDB reports that it
   * does.
   */
  readonly onLongRace?: (race: LongRace) => void;
  readonly now: () => number;
  /** How long a deleted event is remembered. */
  readonly tombstoneMs: number;
  /** Absent: no subscription wants changes of events. */
  readonly publishing?: EventPublishing | undefined;
}

/** A group that keeps losing races. Reported, because its actions wait meanwhile. */
export interface LongRace {
  readonly rounds: number;
  readonly event_ids: readonly string[];
}

/** About ten seconds, including the backoff. */
const LONG_RACE_ROUNDS = 100;

export interface GroupResult {
  /** The result of `action`, which must be part of the group. */
  of(action: AdmittedAction): Applied;
  /** How often events were loaded and written: more than once after a lost race, or with large events. */
  readonly rounds: number;
}

export type ApplyGroup = (actions: readonly AdmittedAction[]) => Promise<GroupResult>;

/** Pending work on one event. The actions in `later` wait until `work` is done. */
interface Pending {
  readonly work: EventWork;
  readonly later: readonly AdmittedAction[];
}

/** The result of a round. Leaves out the event, which can be large. */
interface Attempt extends Pending {
  readonly outcomes: FoldedEvent['outcomes'];
  readonly result: AttemptResult;
}

/** `full`: the event must publish some of its changes before it gets a further one. Nothing was written. */
type AttemptResult = EventWriteResult | { readonly status: 'full' };

const WRITTEN: AttemptResult = { status: 'written' };
const FULL: AttemptResult = { status: 'full' };

/**
 * Applies a group with one find and one bulk write. If its events don't fit into memory together, it takes one round
 * for each portion. Writes are guarded by revision: an event that another group changed meanwhile is loaded and folded
 * again. Idempotent: applying a group again changes nothing and reports the same outcomes.
 */
export function createApplyGroup({
  events,
  backoff,
  onLongRace,
  now,
  tombstoneMs,
  publishing,
}: ApplyGroupDeps): ApplyGroup {
  const write = createWriteEvents({ events, now, tombstoneMs, publishing });

  /** One round: attempts the work whose events were read, and returns the rest as `unread`. */
  async function attempt(pending: readonly Pending[]): Promise<{ attempts: Attempt[]; unread: Pending[] }> {
    const portion = await events.loadPortion(pending.map(({ work }) => work.event_id));
    const left = new Set(portion.unread);
    const isLeft = ({ work }: Pending): boolean => left.has(work.event_id);
    const read = pending.filter((one) => !isLeft(one));
    const folded = read.map(({ work }) => foldEvent(work, portion.events.get(work.event_id)));
    const full = folded.filter((one) => one.changed && isFullEvent(one));
    const changed = folded.filter((one) => one.changed && !full.includes(one));
    const written = await write(changed);
    const results = new Map<FoldedEvent, AttemptResult | undefined>(
      changed.map((one, index) => [one, written[index]]),
    );
    for (const one of full) results.set(one, FULL);
    const attempts = folded.map((one, index) => {
      const { work, later } = read[index] as Pending;
      return { work, later, outcomes: one.outcomes, result: results.get(one) ?? WRITTEN };
    });
    return { attempts, unread: pending.filter(isLeft) };
  }

  return async (actions) => {
    const { works, ...addressed } = planWork(actions);
    const groupOutcomes = createGroupOutcomes(addressed);
    let pending: Pending[] = works.map((work) => ({ work, later: [] }));
    let rounds = 0;
    while (pending.length > 0) {
      rounds += 1;
      const { attempts, unread } = await attempt(pending);
      const lost = attempts.filter(({ result }) => result.status === 'lost_race');
      pending = [...attempts.flatMap((one) => settle(one, groupOutcomes)), ...unread];
      if (lost.length === 0) continue;
      if (rounds % LONG_RACE_ROUNDS === 0)
        onLongRace?.({ rounds, event_ids: lost.map(({ work }) => work.event_id) });
      await backoff(rounds);
    }
    return { of: groupOutcomes.of, rounds };
  };
}

/** Records the outcomes of an attempt. Returns its remaining work. */
function settle({ work, later, outcomes, result }: Attempt, groupOutcomes: GroupOutcomes): Pending[] {
  switch (result.status) {
    case 'lost_race':
      return [{ work, later }];
    case 'written':
      for (const [sequence, outcome] of outcomes) groupOutcomes.note(work.event_id, sequence, { outcome });
      return oneByOne(work, later);
    case 'full':
      for (const { sequence } of [...work.actions, ...later]) groupOutcomes.waits(work.event_id, sequence);
      return [];
    case 'rejected':
      // One of the actions can't be stored. Apply them one by one, so that it doesn't affect the others.
      if (work.actions.length > 1) return oneByOne(work, work.actions);
      for (const { sequence } of work.actions)
        groupOutcomes.note(work.event_id, sequence, { outcome: 'failed', reason: result.reason });
      return oneByOne(work, later);
  }
}

function isFullEvent({ event: { untold } }: FoldedEvent): boolean {
  return untold !== undefined && isFull(untold);
}

function oneByOne(work: EventWork, [first, ...later]: readonly AdmittedAction[]): Pending[] {
  return first === undefined ? [] : [{ work: { ...work, actions: [first] }, later }];
}
