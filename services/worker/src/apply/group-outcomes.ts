import type { Outcome } from '@sluice/contract/delivery/delivery';
import type { AdmittedAction } from '@sluice/contract/delivery/groups';

/** The result of one action. */
export type Applied = AppliedAction | WaitingForEvent;

interface AppliedAction {
  readonly event_id: string;
  readonly outcome: Outcome;
  /** Why it failed; null if it didn't. */
  readonly reason: string | null;
}

/** Too many changes of its event are not published yet, so it had no effect. Apply it again later. */
interface WaitingForEvent extends Pick<AppliedAction, 'event_id'> {
  readonly outcome: 'waits';
  readonly reason: null;
}

type Noted = Pick<AppliedAction, 'outcome'> & Partial<Pick<AppliedAction, 'reason'>>;

export type GroupOutcomes = ReturnType<typeof createGroupOutcomes>;

/** Collects the results of a group's actions. `eventIds`: the event of each action. */
export function createGroupOutcomes(eventIds: ReadonlyMap<AdmittedAction, string>) {
  // Keyed by event and sequence number, because a repeated request has the outcome of the first.
  const noted = new Map<string, Map<number, Applied>>();
  const put = (event_id: string, sequence: number, applied: Applied): void => {
    const ofEvent = noted.get(event_id) ?? new Map<number, Applied>();
    noted.set(event_id, ofEvent.set(sequence, applied));
  };
  return {
    note(event_id: string, sequence: number, { outcome, reason = null }: Noted): void {
      put(event_id, sequence, { event_id, outcome, reason });
    },
    waits(event_id: string, sequence: number): void {
      put(event_id, sequence, { event_id, outcome: 'waits', reason: null });
    },
    of(action: AdmittedAction): Applied {
      const applied = noted.get(eventIds.get(action) ?? '')?.get(action.sequence);
      if (applied === undefined) throw new Error(`delivery ${action.delivery_id} was not part of the group`);
      return applied;
    },
  };
}
