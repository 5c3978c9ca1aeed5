import type { Outcome } from '@sluice/contract/delivery';

/** Called for every group that is done, or left to a newer worker. */
export interface GroupObserver {
  applied(group: GroupDone): void;
  newer(version: number): void;
}

export interface GroupDone {
  readonly group_id: string;
  /** Trace id of its span; undefined without tracing. */
  readonly trace_id: string | undefined;
  /** Distinct source ids. Unreadable actions without a source id are left out. */
  readonly sourceIds: readonly string[];
  readonly outcomes: readonly { readonly outcome: Outcome; readonly received_at: number | null }[];
  readonly failures: readonly { readonly delivery_id: string; readonly reason: string }[];
  readonly rounds: number;
  readonly duration_ms: number;
}
