import type { Outcome } from '@sluice/contract/delivery/delivery';
import type { AdmittedAction } from '@sluice/contract/delivery/groups';
import type { AddressedEvents } from './plan-work.ts';

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

/** Collects the results of a group's actions. */
export function createGroupOutcomes({ eventIds, deletes }: AddressedEvents) {
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
      if (action.action.external_id === undefined || applied.outcome === 'waits') return applied;
      // An action is not applied before all its deletes are.
      const others = deletes.get(action)?.map((one) => noted.get(one.event_id)?.get(one.sequence)) ?? [];
      const failed = others.find((other) => other?.outcome === 'failed');
      const waiting = others.find((other) => other?.outcome === 'waits');
      return waiting ?? (failed === undefined ? applied : { ...failed, event_id: applied.event_id });
    },
  };
}
