import type { ProblemCode } from './problem.ts';

/**
 * Why a request got 503, for the log of the operator: a fixed word, never the message of an error. docs/operations.md explains
 * each at `request.unavailable`.
 */
export type UnavailableReason =
  | 'mongodb_away'
  | 'redis_away'
  | 'redis_full'
  | 'redis_unable'
  | 'stores_late'
  | 'lead_contended'
  | 'changes_pending'
  | 'change_unconfirmed'
  | 'reply_unsettled'
  | 'backlog_full'
  | 'source_changing'
  | 'too_many_streams'
  | 'ingress_away'
  | 'other';

/** Why an action of the dashboard or the command line was not enqueued. `detail` says what to do next. */
export interface ActionRefused {
  readonly outcome: 'refused';
  readonly code: ProblemCode;
  readonly detail: string;
  /** Whole seconds after which a retry may succeed. */
  readonly retryAfterSeconds?: number;
  /** With `unavailable`, for the log. The response omits it. */
  readonly reason?: UnavailableReason;
}
