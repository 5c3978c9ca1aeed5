import type { Outcome } from '@sluice/contract/delivery';
import type { AdmittedAction } from '@sluice/contract/groups';
import type { EventWrite, EventWriteResult, StoredEvent } from '@sluice/store/event-document';
import { type EventWork, type FoldedEvent, foldEvent } from './fold-event.ts';
import { eventIdOf, planWork } from './plan-work.ts';

/** The verbs of the store that applying needs. They throw only when MongoDB cannot be reached. */
export interface EventStore {
  loadEvents(ids: readonly string[]): Promise<ReadonlyMap<string, StoredEvent>>;
  writeEvents(writes: readonly EventWrite[]): Promise<readonly EventWriteResult[]>;
}

export interface ApplyGroupDeps {
  readonly events: EventStore;
  /** Waits a moment, longer with each round, so that appliers that race do not keep in step. */
  readonly backoff: (round: number) => Promise<void>;
  /** Told each time that a hundred more rounds were lost: somebody writes the same events all the time, or says so. */
  readonly onLongRace?: (race: LongRace) => void;
  readonly now: () => number;
  /** How long a deleted event is remembered. */
  readonly tombstoneMs: number;
}

/** A group that goes on without an end in sight: to be seen, as its actions wait meanwhile. */
export interface LongRace {
  readonly rounds: number;
  readonly event_ids: readonly string[];
}

/** With their waits some ten seconds. */
const LONG_RACE_ROUNDS = 100;

/** What one action came to. */
export interface Applied {
  readonly event_id: string;
  readonly outcome: Outcome;
  /** Why it failed; null where it did not. */
  readonly reason: string | null;
}

export interface GroupResult {
  /** What became of `action`, which was part of the group. */
  of(action: AdmittedAction): Applied;
  /** How often events were loaded and written: more than once where another group wrote the same events meanwhile. */
  readonly rounds: number;
}

export type ApplyGroup = (actions: readonly AdmittedAction[]) => Promise<GroupResult>;

/**
 * No revision comes back, as it is the time in milliseconds where that is ahead: an event whose tombstone has gone is stored
 * anew a day or more after it was last written. Else whoever has loaded the tombstone could overwrite what came after it.
 */
const nextRevision = (revision: number, nowMs: number): number => Math.max(revision + 1, nowMs);

/** Work on one event that is not done yet; `later` holds what must wait until `work` is. */
interface Pending {
  readonly work: EventWork;
  readonly later: readonly AdmittedAction[];
}

/**
 * Applies a group with one find and one bulk write, however large it is. Writes are guarded by revision: what another
 * group wrote meanwhile is loaded and folded again until nothing is left. Applying a group a second time changes
 * nothing and reports the same.
 */
export function createApplyGroup({
  events,
  backoff,
  onLongRace,
  now,
  tombstoneMs,
}: ApplyGroupDeps): ApplyGroup {
  const toWrite = ({ event }: FoldedEvent): EventWrite => ({
    event,
    expectedRevision: event.revision,
    newRevision: nextRevision(event.revision, now()),
    expiresAt: event.state.content === null ? now() + tombstoneMs : null,
  });

  /** One round: what each piece of work came to, in the same order. */
  async function attempt(
    works: readonly EventWork[],
  ): Promise<{ folded: FoldedEvent; result: EventWriteResult }[]> {
    const stored = await events.loadEvents(works.map(({ event_id }) => event_id));
    const folded = works.map((work) => foldEvent(work, stored.get(work.event_id)));
    const changed = folded.filter((one) => one.changed);
    const written = changed.length === 0 ? [] : await events.writeEvents(changed.map(toWrite));
    const results = new Map(changed.map((one, index) => [one, written[index]]));
    return folded.map((one) => ({ folded: one, result: results.get(one) ?? { status: 'written' } }));
  }

  return async (actions) => {
    const eventIds = new Map(actions.map((action) => [action, eventIdOf(action)]));
    const report = createReport(eventIds);
    let pending: Pending[] = planWork(eventIds).map((work) => ({ work, later: [] }));
    let rounds = 0;
    while (pending.length > 0) {
      rounds += 1;
      const attempts = await attempt(pending.map(({ work }) => work));
      const lost = attempts.filter(({ result }) => result.status === 'lost_race');
      pending = pending.flatMap((one, index) => {
        const { folded, result } = attempts[index] as (typeof attempts)[number];
        return settle(one, folded, result, report);
      });
      if (lost.length === 0) continue;
      if (rounds % LONG_RACE_ROUNDS === 0)
        onLongRace?.({ rounds, event_ids: lost.map(({ folded }) => folded.event.event_id) });
      await backoff(rounds);
    }
    return { of: report.of, rounds };
  };
}

/** Notes what is done; returns what of it still has to be done. */
function settle(
  { work, later }: Pending,
  folded: FoldedEvent,
  result: EventWriteResult,
  report: Report,
): Pending[] {
  switch (result.status) {
    case 'lost_race':
      return [{ work, later }];
    case 'written':
      for (const [sequence, outcome] of folded.outcomes) report.note(work.event_id, sequence, outcome);
      return oneByOne(work, later);
    case 'rejected':
      // One of them cannot be stored: each by itself, so that it harms no other.
      if (work.actions.length > 1) return oneByOne(work, work.actions);
      for (const { sequence } of work.actions) report.note(work.event_id, sequence, 'failed', result.reason);
      return oneByOne(work, later);
  }
}

function oneByOne(work: EventWork, [first, ...later]: readonly AdmittedAction[]): Pending[] {
  return first === undefined ? [] : [{ work: { ...work, actions: [first] }, later }];
}

type Report = ReturnType<typeof createReport>;

function createReport(eventIds: ReadonlyMap<AdmittedAction, string>) {
  // By event and sequence number, not by action: a repeated request came to what the first did.
  const noted = new Map<string, Map<number, Applied>>();
  return {
    note(event_id: string, sequence: number, outcome: Outcome, reason: string | null = null): void {
      const ofEvent = noted.get(event_id) ?? new Map<number, Applied>();
      noted.set(event_id, ofEvent.set(sequence, { event_id, outcome, reason }));
    },
    of(action: AdmittedAction): Applied {
      const applied = noted.get(eventIds.get(action) ?? '')?.get(action.sequence);
      if (applied === undefined) throw new Error(`delivery ${action.delivery_id} was not part of the group`);
      return applied;
    },
  };
}
