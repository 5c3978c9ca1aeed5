import type { AdmittedAction } from '@sluice/contract/groups';
import type { EventWrite, EventWriteResult } from '@sluice/store/event-document';
import type { EventStore } from '../event-store.ts';
import { type EventWork, type FoldedEvent, foldEvent } from './fold-event.ts';
import { type Applied, createGroupOutcomes, type GroupOutcomes } from './group-outcomes.ts';
import { eventIdOf, planWork } from './plan-work.ts';

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

export interface GroupResult {
  /** What became of `action`, which was part of the group. */
  of(action: AdmittedAction): Applied;
  /** How often events were loaded and written: more than once where another group wrote the same events meanwhile, or where they are large. */
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

/** What a round made of it. Without the event, which can be large. */
interface Attempt extends Pending {
  readonly outcomes: FoldedEvent['outcomes'];
  readonly result: EventWriteResult;
}

const WRITTEN: EventWriteResult = { status: 'written' };

/**
 * Applies a group with one find and one bulk write, however large it is, unless its events are too large to be held
 * together: then it takes a round for each portion of them. Writes are guarded by revision: what another group wrote
 * meanwhile is loaded and folded again until nothing is left. Applying a group a second time changes nothing and reports
 * the same.
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

  /** One round: what came of each piece of work whose event was read, and what is left for another one. */
  async function attempt(pending: readonly Pending[]): Promise<{ attempts: Attempt[]; unread: Pending[] }> {
    const portion = await events.loadPortion(pending.map(({ work }) => work.event_id));
    const left = new Set(portion.unread);
    const isLeft = ({ work }: Pending): boolean => left.has(work.event_id);
    const read = pending.filter((one) => !isLeft(one));
    const folded = read.map(({ work }) => foldEvent(work, portion.events.get(work.event_id)));
    const changed = folded.filter((one) => one.changed);
    const written = changed.length === 0 ? [] : await events.writeEvents(changed.map(toWrite));
    const results = new Map(changed.map((one, index) => [one, written[index]]));
    const attempts = folded.map((one, index) => {
      const { work, later } = read[index] as Pending;
      return { work, later, outcomes: one.outcomes, result: results.get(one) ?? WRITTEN };
    });
    return { attempts, unread: pending.filter(isLeft) };
  }

  return async (actions) => {
    const eventIds = new Map(actions.map((action) => [action, eventIdOf(action)]));
    const groupOutcomes = createGroupOutcomes(eventIds);
    let pending: Pending[] = planWork(eventIds).map((work) => ({ work, later: [] }));
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

/** Notes what is done; returns what of it still has to be done. */
function settle({ work, later, outcomes, result }: Attempt, groupOutcomes: GroupOutcomes): Pending[] {
  switch (result.status) {
    case 'lost_race':
      return [{ work, later }];
    case 'written':
      for (const [sequence, outcome] of outcomes) groupOutcomes.note(work.event_id, sequence, outcome);
      return oneByOne(work, later);
    case 'rejected':
      // One of them cannot be stored: each by itself, so that it harms no other.
      if (work.actions.length > 1) return oneByOne(work, work.actions);
      for (const { sequence } of work.actions)
        groupOutcomes.note(work.event_id, sequence, 'failed', result.reason);
      return oneByOne(work, later);
  }
}

function oneByOne(work: EventWork, [first, ...later]: readonly AdmittedAction[]): Pending[] {
  return first === undefined ? [] : [{ work: { ...work, actions: [first] }, later }];
}
