import type { ProblemCode } from './problem.ts';

/** Why an action of the dashboard or the command line was not enqueued. `detail` says what to do next. */
export interface ActionRefused {
  readonly outcome: 'refused';
  readonly code: ProblemCode;
  readonly detail: string;
  /** Whole seconds after which a retry may succeed. */
  readonly retryAfterSeconds?: number;
}
