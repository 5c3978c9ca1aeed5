import type { Outcome } from '@sluice/contract/delivery';
import type { AdmittedAction } from '@sluice/contract/groups';

/** The result of one action. */
export interface Applied {
  readonly event_id: string;
  readonly outcome: Outcome;
  /** Why it failed; null if it didn't. */
  readonly reason: string | null;
  /** The newest sequence number in the state of the event. 0 if the action failed. */
  readonly newest: number;
}

type Noted = Pick<Applied, 'outcome'> & Partial<Pick<Applied, 'reason' | 'newest'>>;

export type GroupOutcomes = ReturnType<typeof createGroupOutcomes>;

/** Collects the results of a group's actions. `eventIds`: the event of each action. */
export function createGroupOutcomes(eventIds: ReadonlyMap<AdmittedAction, string>) {
  // Keyed by event and sequence number, because a repeated request has the outcome of the first.
  const noted = new Map<string, Map<number, Applied>>();
  return {
    note(event_id: string, sequence: number, { outcome, reason = null, newest = 0 }: Noted): void {
      const ofEvent = noted.get(event_id) ?? new Map<number, Applied>();
      noted.set(event_id, ofEvent.set(sequence, { event_id, outcome, reason, newest }));
    },
    of(action: AdmittedAction): Applied {
      const applied = noted.get(eventIds.get(action) ?? '')?.get(action.sequence);
      if (applied === undefined) throw new Error(`delivery ${action.delivery_id} was not part of the group`);
      return applied;
    },
  };
}
