interface ProblemDeclaration {
  readonly status: number;
  readonly title: string;
  /** The webhook responds with it. `unlogged`: without a row in the delivery log, as the source is unknown or nothing can be enqueued. */
  readonly webhook?: 'logged' | 'unlogged';
  /** The check of a delivery that failed. The checks are made in the order of this table. */
  readonly check?: string;
}

/** Every problem code of webhook and API (docs/errors.md). */
export const PROBLEMS = {
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    webhook: 'logged',
    check: 'The request is a POST',
  },
  not_found: { status: 404, title: 'Not found' },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    webhook: 'logged',
    check: 'The body is application/json',
  },
  payload_too_large: {
    status: 413,
    title: 'Payload too large',
    webhook: 'logged',
    check: 'The body is at most 256 KiB',
  },
  source_not_found: { status: 404, title: 'Source not found', webhook: 'unlogged' },
  signature_missing: {
    status: 401,
    title: 'Signature missing',
    webhook: 'logged',
    check: 'The X-Service-Signature header is present',
  },
  timestamp_invalid: {
    status: 400,
    title: 'Timestamp invalid',
    webhook: 'logged',
    check: 'X-Service-Timestamp is a decimal number of seconds',
  },
  timestamp_expired: {
    status: 400,
    title: 'Timestamp expired',
    webhook: 'logged',
    check: 'The timestamp is at most 300 seconds off',
  },
  signature_invalid: {
    status: 401,
    title: 'Signature invalid',
    webhook: 'logged',
    check: 'The signature matches the timestamp, body and secret',
  },
  too_many_bad_signatures: {
    status: 429,
    title: 'Too many bad signatures',
    webhook: 'logged',
    check: 'The signature matches the timestamp, body and secret',
  },
  source_inactive: {
    status: 403,
    title: 'Source inactive',
    webhook: 'logged',
    check: 'The source is switched on',
  },
  rate_limited: {
    status: 429,
    title: 'Rate limit exceeded',
    webhook: 'logged',
    check: 'The source is within its rate limit',
  },
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    webhook: 'logged',
    check: 'The body is valid JSON',
  },
  validation_failed: {
    status: 400,
    title: 'Validation failed',
    webhook: 'logged',
    check: 'The fields are valid',
  },
  mapping_failed: {
    status: 400,
    title: 'Mapping failed',
    webhook: 'logged',
    check: 'The fields are valid',
  },
  plan_limit_reached: {
    status: 403,
    title: 'Plan limit reached',
    webhook: 'logged',
    check: 'The plan allows the action',
  },
  unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    webhook: 'logged',
    check: 'The action was stored',
  },
  key_missing: { status: 401, title: 'API key missing' },
  key_invalid: { status: 401, title: 'API key invalid' },
  key_revoked: { status: 401, title: 'API key revoked' },
  key_expired: { status: 401, title: 'API key expired' },
  signed_out: { status: 401, title: 'Not signed in' },
  sign_in_failed: { status: 401, title: 'Sign-in failed' },
  wrong_password: { status: 403, title: 'Wrong password' },
  wrong_code: { status: 403, title: 'Wrong code' },
  two_factor_required: { status: 403, title: 'Two-factor sign-in required' },
  forbidden: { status: 403, title: 'Not allowed' },
  scope_missing: {
    status: 403,
    title: 'Scope missing',
  },
  cross_site: { status: 403, title: 'Cross-site request' },
  link_invalid: { status: 404, title: 'Link not valid' },
  conflict: { status: 409, title: 'Conflict' },
  cursor_invalid: {
    status: 400,
    title: 'Cursor invalid',
  },
  unknown_stage: {
    status: 400,
    title: 'Unknown pipeline stage',
  },
  changed_meanwhile: {
    status: 412,
    title: 'Changed meanwhile',
  },
  external_id_taken: {
    status: 409,
    title: 'External id taken',
  },
  subscription_limit_reached: {
    status: 403,
    title: 'Too many webhook subscriptions',
  },
  subscription_paused: {
    status: 409,
    title: 'Webhook subscription paused',
  },
  target_url_taken: {
    status: 409,
    title: 'URL taken',
  },
  handoff_not_requested: {
    status: 409,
    title: 'Handoff not requested',
  },
  handoff_not_active: {
    status: 409,
    title: 'Handoff not active',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'First request in progress',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency-Key reused',
  },
  rotation_stale: { status: 409, title: 'Rotation out of date' },
  count_changed: { status: 409, title: 'Count changed' },
  last_owner: { status: 409, title: 'Last owner' },
  not_reprocessable: { status: 409, title: 'Cannot be reprocessed' },
  feed_unreadable: { status: 422, title: 'Feed cannot be read' },
  bad_request: { status: 400, title: 'Bad request', webhook: 'unlogged' },
  internal_error: { status: 500, title: 'Internal error', webhook: 'unlogged' },
} as const satisfies Record<string, ProblemDeclaration>;

export type ProblemCode = keyof typeof PROBLEMS;

/** The problem codes of the webhook. */
export type WebhookProblem = {
  [Code in ProblemCode]: (typeof PROBLEMS)[Code] extends { readonly webhook: string } ? Code : never;
}[ProblemCode];

const DECLARED = Object.entries<ProblemDeclaration>(PROBLEMS);

export const WEBHOOK_PROBLEMS = namesOf(({ webhook }) => webhook !== undefined);
/** The problem codes in a source's delivery log. */
export const LOGGED_PROBLEMS = namesOf(({ webhook }) => webhook === 'logged');

function namesOf(applies: (problem: ProblemDeclaration) => boolean): readonly WebhookProblem[] {
  return DECLARED.flatMap(([code, problem]) => (applies(problem) ? [code as WebhookProblem] : []));
}

/** The checks of the webhook in order, with the codes of each. */
export const WEBHOOK_CHECKS: readonly (readonly [name: string, ...codes: string[]])[] = [
  ...new Set(DECLARED.flatMap(([, { check }]) => check ?? [])),
].map((name) => [name, ...DECLARED.flatMap(([code, { check }]) => (check === name ? [code] : []))]);

/** One wrong field of a request: an RFC 6901 pointer into its body, and how to correct it. */
export interface FieldError {
  readonly pointer: string;
  readonly detail: string;
}

/** A wrong field as sent: with its name beside the pointer, for clients that do not read pointers. */
export interface NamedFieldError extends FieldError {
  /** The pointer in dotted form, such as `event.starts_at`. Empty for the body as a whole. */
  readonly field: string;
}

/** The body of every rejection: RFC 9457 problem details with `code`, `request_id` and, for wrong fields, `errors`. */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The same text as `detail`. Many clients show only a field of this name. */
  readonly message: string;
  readonly code: ProblemCode;
  readonly request_id: string;
  readonly errors?: readonly NamedFieldError[];
}

export const PROBLEM_CONTENT_TYPE = 'application/problem+json';

/** The title of a code. A code that only a newer version knows is its own title. */
export function problemTitle(code: ProblemCode): string {
  return PROBLEMS[code]?.title ?? code;
}

/** Builds a problem body. `detail` names the sender's next step. */
export function problemBody(
  code: ProblemCode,
  detail: string,
  requestId: string,
  errors?: readonly FieldError[],
): ProblemBody {
  const body = answeredProblem({ code, status: PROBLEMS[code].status, detail, requestId });
  return errors === undefined ? body : { ...body, errors: errors.map(namedFieldError) };
}

function namedFieldError(error: FieldError): NamedFieldError {
  return { pointer: error.pointer, field: fieldOf(error), detail: error.detail };
}

/** The pointer of a wrong field in dotted form. Empty for the body as a whole. */
export function fieldOf({ pointer }: FieldError): string {
  return pointer.split('/').slice(1).map(unescapedPart).join('.');
}

/** The RFC 6901 pointer to a path of keys and indexes. */
export function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${escapedPart(String(part))}`).join('');
}

/** RFC 6901, section 3: `~` first, because `/` becomes `~1`. */
function escapedPart(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** RFC 6901, section 4: `~1` is a slash and `~0` a tilde, replaced in this order. */
function unescapedPart(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The body of a rejection as logged. Its code may be one that only a newer version knows. */
export function answeredProblem({
  code,
  status,
  detail,
  requestId,
}: Pick<ProblemBody, 'code' | 'status' | 'detail'> & { readonly requestId: string }): ProblemBody {
  const title = problemTitle(code);
  return { type: `/problems/${code}`, title, status, detail, message: detail, code, request_id: requestId };
}
