import type { Outcome } from '@sluice/contract/delivery';

/** Told about every group when it is done, or left to a newer worker. */
export interface GroupObserver {
  applied(group: GroupDone): void;
  newer(version: number): void;
}

export interface GroupDone {
  readonly group_id: string;
  /** Of its span; undefined where it is not traced. */
  readonly trace_id: string | undefined;
  /** Each once, as far as they could be told. */
  readonly sourceIds: readonly string[];
  readonly outcomes: readonly { readonly outcome: Outcome; readonly received_at: number | null }[];
  readonly failures: readonly { readonly delivery_id: string; readonly reason: string }[];
  readonly rounds: number;
  readonly duration_ms: number;
}
