import { retryAfterMs } from './retry-after.ts';
import type { Problem, ProblemCode } from './types.ts';

/** A field of the request that is wrong. */
export interface FieldError {
  /** RFC 6901, into the body; for a query parameter a slash and its name. */
  readonly pointer: string;
  /** The pointer in dotted form, such as `fields.budget`. */
  readonly field: string;
  readonly detail: string;
}

/** The code of a response that is not from Sluice, such as the error page of a proxy. */
export const UNEXPECTED = 'unexpected_response';

/** A rejected request: what is wrong, and what to do about it. */
export class SluiceProblem extends Error {
  override readonly name = 'SluiceProblem';
  /** The HTTP status. */
  readonly status: number;
  readonly code: ProblemCode | typeof UNEXPECTED;
  readonly title: string;
  /** A sentence that can be shown to a person. `message` is the same text. */
  readonly detail: string;
  /** The address of the page that explains the code. */
  readonly type: string;
  readonly errors: readonly FieldError[];
  /** Give this id when you ask for help. */
  readonly requestId: string | undefined;
  /** Only with `scope_missing`: any one of these scopes is enough. */
  readonly requiredScopes: readonly string[];
  /** The whole seconds to wait before the next attempt. Absent: the response did not name a time. */
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: Partial<Problem>, response: Pick<Response, 'status' | 'headers'>) {
    const detail = problem.detail ?? `The server answered with status ${response.status}.`;
    super(detail);
    this.status = response.status;
    this.code = problem.code ?? UNEXPECTED;
    this.title = problem.title ?? 'Unexpected response';
    this.detail = detail;
    this.type = problem.type ?? 'about:blank';
    this.errors = problem.errors ?? [];
    this.requestId = problem.request_id ?? response.headers.get('x-request-id') ?? undefined;
    this.requiredScopes = problem.required_scopes ?? [];
    const waitMs = retryAfterMs(response.headers);
    this.retryAfterSeconds = waitMs === undefined ? undefined : Math.ceil(waitMs / 1000);
  }
}

/** Whether an error is a problem, with one of these codes where codes are given. */
export function isProblem(
  error: unknown,
  ...codes: readonly SluiceProblem['code'][]
): error is SluiceProblem {
  return error instanceof SluiceProblem && (codes.length === 0 || codes.includes(error.code));
}

/** The problem in a rejected response. The body of a proxy is not a problem. */
export function problemOf(body: unknown, response: Pick<Response, 'status' | 'headers'>): SluiceProblem {
  const isOurs = typeof body === 'object' && body !== null && 'code' in body && 'detail' in body;
  return new SluiceProblem(isOurs ? (body as Problem) : {}, response);
}

/** The server could not be reached, or did not respond in time. `cause` is the error of `fetch`. */
export class SluiceConnectionError extends Error {
  override readonly name = 'SluiceConnectionError';
  /** Whether the last attempt ended by the timeout. */
  readonly timedOut: boolean;

  constructor(origin: string, attempts: number, cause: unknown) {
    const timedOut = cause instanceof Error && cause.name === 'TimeoutError';
    const what = timedOut ? 'did not respond in time' : 'could not be reached';
    const tried = `after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
    super(`${origin} ${what}, ${tried}${timedOut ? '' : ` (${reasonOf(cause)})`}.`, { cause });
    this.timedOut = timedOut;
  }
}

/** The code that the system gave, such as ECONNREFUSED. `fetch` has it as the cause of its "fetch failed". */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? String((cause as { code?: unknown }).code ?? cause.message) : String(cause);
}

/** A secret was rotated, and the response that had the new one was lost. Its replay has none. */
export class SluiceSecretLostError extends Error {
  override readonly name = 'SluiceSecretLostError';

  constructor(webhookId: string) {
    super(
      `The secret of ${webhookId} was rotated, but the response with the new secret was lost. Rotate it again, with another Idempotency-Key if you pass one.`,
    );
  }
}
