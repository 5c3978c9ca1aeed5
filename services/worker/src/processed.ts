import type { Delivery, Outcome } from '@sluice/contract/delivery/delivery';
import type { AdmittedAction, AnyAction } from '@sluice/contract/delivery/groups';
import { type AppliedOutcome, rowOfAction, rowOfUnreadable } from './delivery-log/delivery-rows.ts';
import type { GroupDone } from './group-observer.ts';
import type { AddressedResult } from './publish-results.ts';
import type { TakenAction, TakenActions } from './take/read-actions.ts';

/** A member of the group with its log row, and the reason if it failed. */
export interface Processed {
  readonly raw: unknown;
  readonly letterId: string;
  /** Null if not even the owner of the request is readable. */
  readonly row: Delivery | null;
  readonly failure: string | null;
  /** The result for an ingress; null, as for nearly all, if nobody waits. */
  readonly awaited: AddressedResult | null;
}

/** Returns the result of an action of the run. */
export type OutcomeOf = (action: AdmittedAction<AnyAction>) => AppliedOutcome;

/** The row and the failure of a member, logged at `appliedAt` (ms since the Unix epoch). */
export function toProcessed(
  { rerunLetterId }: TakenActions,
  member: TakenAction,
  outcomeOf: OutcomeOf,
  appliedAt: number,
): Processed {
  switch (member.status) {
    case 'unreadable': {
      const { raw, letterId, reason } = member;
      return { raw, letterId, row: rowOfUnreadable(raw, reason, appliedAt), failure: reason, awaited: null };
    }
    case 'readable': {
      const { action } = member;
      const applied = outcomeOf(action);
      const { outcome, reason } = applied;
      const logged = { ...applied, outcome: loggedOutcome(action, outcome) };
      const row = rowOfAction(action, logged, appliedAt);
      const failure = outcome === 'failed' ? (reason ?? 'no reason given') : null;
      const awaited = awaitedResult(action, row);
      return { raw: action, letterId: rerunLetterId ?? action.delivery_id, row, failure, awaited };
    }
  }
}

/** A repeated request is logged as a duplicate even if it took effect. The first request has the actual outcome. */
function loggedOutcome({ duplicate_of }: AdmittedAction<AnyAction>, outcome: Outcome): Outcome {
  return duplicate_of !== null && outcome !== 'failed' ? 'duplicate' : outcome;
}

/** The rows of members with a readable owner. */
export function rowsOf(processed: readonly Processed[]): Delivery[] {
  return processed.flatMap(({ row }) => (row === null ? [] : [row]));
}

/** The summary of a group for the observer. */
export function summaryOf(
  processed: readonly Processed[],
): Pick<GroupDone, 'sourceIds' | 'outcomes' | 'failures'> {
  return {
    sourceIds: [...new Set(processed.flatMap(({ row }) => row?.source_id ?? []))],
    outcomes: processed.map(({ row }) => ({
      outcome: row?.outcome ?? 'failed',
      received_at: row?.received_at ?? null,
    })),
    failures: processed.flatMap(({ letterId: delivery_id, failure: reason }) =>
      reason === null ? [] : [{ delivery_id, reason }],
    ),
  };
}

/** Null, as for nearly all, if no sender waits. */
function awaitedResult(
  action: AdmittedAction<AnyAction>,
  { outcome, event_id, conversation_id }: Delivery,
): AddressedResult | null {
  const { request_id, results_to } = action;
  if (results_to === undefined) return null;
  return { to: results_to, result: { request_id, outcome, event_id, conversation_id } };
}
