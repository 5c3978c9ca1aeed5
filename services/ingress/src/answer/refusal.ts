import type { UnappliedCode } from '@sluice/contract/delivery/delivery';
import type { FieldError, WebhookProblem } from '@sluice/contract/problem/problem';

/** Why a request is rejected, and how its sender can correct it. */
export interface Refusal {
  /** `not_found`: the path is not an endpoint of a source. */
  readonly code: WebhookProblem | 'not_found';
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  /** Whole seconds after which a retry may succeed. */
  readonly retryAfterSeconds?: number;
}

/** Why a request changed nothing, for the delivery log. */
export interface Unapplied {
  readonly code: UnappliedCode;
  readonly reason: string;
}

/** Redis may have admitted the request just before it stopped responding. With a new signature it would be another request. */
const SAME_AGAIN =
  'Send the same request again after the time in Retry-After. Sign it again only once it is five minutes old.';

/** The rejections with a fixed text. Texts that depend on the request are made at their checks. */
export const REFUSALS = {
  method_not_allowed: {
    code: 'method_not_allowed',
    detail: 'The webhook endpoint accepts POST only. Send the event with POST.',
  },
  not_found: {
    code: 'not_found',
    detail: 'There is nothing at this path. Copy the endpoint URL of the source from the dashboard.',
  },
  unsupported_media_type: {
    code: 'unsupported_media_type',
    detail:
      'Send the body as plain JSON, with the header Content-Type: application/json and no Content-Encoding.',
  },
  payload_too_large: {
    code: 'payload_too_large',
    detail: 'The body is larger than 256 KiB (262,144 bytes). Shorten the event.',
  },
  source_not_found: {
    code: 'source_not_found',
    detail: 'No source has this id. Copy the endpoint URL of the source from the dashboard.',
  },
  signature_missing: {
    code: 'signature_missing',
    detail:
      'The header X-Service-Signature is missing. Send sha256= and the HMAC-SHA256 of "<timestamp>.<body>" in hex.',
  },
  signature_invalid: {
    code: 'signature_invalid',
    detail:
      'X-Service-Signature does not match this timestamp, body and secret. ' +
      'Sign "<timestamp>.<body>" over the exact bytes sent, with the source\'s current signing secret.',
  },
  signature_of_old_secret: {
    code: 'signature_invalid',
    detail:
      'The request is signed with the secret that was rotated. Configure the new signing secret in the sender.',
  },
  source_inactive: {
    code: 'source_inactive',
    detail: 'This source is switched off. Switch it on in the dashboard, or stop sending.',
  },
  plan_limit_reached: {
    code: 'plan_limit_reached',
    detail:
      "The account has reached its plan's limit of upserts for this calendar month (UTC). Cancel and delete still work.",
  },
  unavailable: {
    code: 'unavailable',
    detail: `The request could not be stored just now. ${SAME_AGAIN}`,
    retryAfterSeconds: 2,
  },
  backlog_full: {
    code: 'unavailable',
    detail: `Too many actions are waiting to be applied. ${SAME_AGAIN}`,
    retryAfterSeconds: 5,
  },
  internal_error: {
    code: 'internal_error',
    detail: 'Something went wrong here. Send it again; if it happens again, report the request id.',
  },
  host_missing: {
    code: 'bad_request',
    detail:
      'The request has no Host header, which HTTP/1.1 requires. Send Host with the name of this server.',
  },
  bad_request: {
    code: 'bad_request',
    detail: 'The URL of the request cannot be read. Check its percent-encoding.',
  },
} as const satisfies Record<string, Refusal>;

/** 404 for a path of the public API. `apiUrl`: API_URL, undefined if it is not set. */
export function apiIsElsewhere(apiUrl: string | undefined): Refusal {
  const where = apiUrl ?? 'the address of the dashboard, by default on port 8081';
  return { code: 'not_found', detail: `This is the webhook endpoint. The API is at ${where}.` };
}

/** 429 for a source over its rate. */
export function rateLimited(retryAfterSeconds: number): Refusal {
  const detail = 'The source is over its rate. Wait for Retry-After, then back off exponentially.';
  return { code: 'rate_limited', detail, retryAfterSeconds };
}

/** 429 for a client address with too many wrong signatures. It ends with the minute. */
export function tooManyBadSignatures(nowMs: number): Refusal {
  const detail =
    'Too many requests from this address had a wrong signature. Correct the signing secret, then wait for Retry-After.';
  return { code: 'too_many_bad_signatures', detail, retryAfterSeconds: 60 - (Math.floor(nowMs / 1000) % 60) };
}

const LOGGED_REASON_LENGTH = 1000;

/** The reason in the delivery log: one sentence, or a sentence for each wrong field. */
export function reasonOf({ detail, errors }: Refusal): string {
  const reason =
    errors === undefined
      ? detail
      : errors.map((error) => `${error.pointer || '(body)'}: ${error.detail}`).join(' ');
  return loggedReason(reason);
}

export function loggedReason(reason: string): string {
  return reason.slice(0, LOGGED_REASON_LENGTH).toWellFormed();
}
