import type { Outcome } from '@sluice/contract/delivery';
import type { AdmittedAction } from '@sluice/contract/groups';

/** The result of one action. */
export interface Applied {
  readonly event_id: string;
  readonly outcome: Outcome;
  /** Why it failed; null if it didn't. */
  readonly reason: string | null;
}

export type GroupOutcomes = ReturnType<typeof createGroupOutcomes>;

/** Collects the results of a group's actions. `eventIds`: the event of each action. */
export function createGroupOutcomes(eventIds: ReadonlyMap<AdmittedAction, string>) {
  // Keyed by event and sequence number, because a repeated request has the outcome of the first.
  const noted = new Map<string, Map<number, Applied>>();
  const newest = new Map<string, number>();
  return {
    note(event_id: string, sequence: number, outcome: Outcome, reason: string | null = null): void {
      const ofEvent = noted.get(event_id) ?? new Map<number, Applied>();
      noted.set(event_id, ofEvent.set(sequence, { event_id, outcome, reason }));
    },
    /** `sequence`: the newest one in the state of an event. */
    sawNewest(event_id: string, sequence: number): void {
      newest.set(event_id, sequence);
    },
    /** Returns whether a newer action on the same event was applied. */
    isPassed(action: AdmittedAction): boolean {
      return (newest.get(eventIds.get(action) ?? '') ?? 0) > action.sequence;
    },
    of(action: AdmittedAction): Applied {
      const applied = noted.get(eventIds.get(action) ?? '')?.get(action.sequence);
      if (applied === undefined) throw new Error(`delivery ${action.delivery_id} was not part of the group`);
      return applied;
    },
  };
}
