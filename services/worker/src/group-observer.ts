import type { Outcome } from '@sluice/contract/delivery/delivery';

/** Called for every group that is done, left to a newer worker, or put off. */
export interface GroupObserver {
  applied(group: GroupDone): void;
  newer(version: number): void;
  /** Too many changes of events or conversations are not published yet. Called each time a group is put off for it. */
  waits(group: GroupWaits): void;
  /** Applying these actions together threw. They are applied one by one. */
  bug(error: unknown, actions: number): void;
}

export interface GroupWaits {
  readonly group_id: string;
  /** The events and conversations. */
  readonly recordIds: readonly string[];
  /** Those of the group that wait. */
  readonly actions: number;
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
