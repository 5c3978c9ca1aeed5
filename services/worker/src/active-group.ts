import type { Processed } from './processed.ts';
import type { TakenActions } from './take/read-actions.ts';
import type { WaitingAction } from './waiting-actions.ts';

/** A group in progress. A run handles several groups, so each group carries its own trace id. */
export interface ActiveGroup {
  readonly group: TakenActions;
  /** The content of its job. */
  readonly payload: unknown;
  readonly trace_id: string | undefined;
  /** Set once its run is over. */
  result?: RunResult;
}

/** The outcome of a run for one of its groups. */
export interface RunResult {
  /** Those that don't wait. */
  readonly members: readonly Processed[];
  readonly waiting: readonly WaitingAction[];
  readonly rounds: number;
  readonly startedAt: number;
}
