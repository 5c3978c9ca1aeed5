import type { Outcome } from '@sluice/contract/delivery';
import type { AdmittedAction } from '@sluice/contract/groups';

/** What one action came to. */
export interface Applied {
  readonly event_id: string;
  readonly outcome: Outcome;
  /** Why it failed; null where it did not. */
  readonly reason: string | null;
}

export type GroupOutcomes = ReturnType<typeof createGroupOutcomes>;

/** Collects what the actions of a group came to, each of which belongs to the event of this id. */
export function createGroupOutcomes(eventIds: ReadonlyMap<AdmittedAction, string>) {
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
