import type { ProblemCode } from './problem.ts';

/**
 * How a sender, an admin or a client can fix a problem. Absent: `detail` says all. Apart from PROBLEMS, because pages of the dashboard load
 * those and no fixes.
 */
const FIXES: Readonly<Partial<Record<ProblemCode, string>>> = {
  unsupported_media_type: 'Send the header Content-Type: application/json and no Content-Encoding.',
  payload_too_large: 'Shorten the event. Omit what you do not need.',
  signature_missing: 'Sign every request. See the code samples under Set up.',
  timestamp_invalid: 'Send the current Unix time in whole seconds, as digits, in X-Service-Timestamp.',
  timestamp_expired:
    'Sign right before sending, with the time in seconds, not milliseconds. After five minutes, sign the request again. Check the clock of the sender.',
  signature_invalid:
    'Sign "<timestamp>.<body>" over the exact bytes you send. Use the whole current secret, including whsec_. Send lower-case hex after sha256=. Was the secret rotated? Was the body reformatted after signing?',
  too_many_bad_signatures:
    'Correct the signing secret in the sender. Requests with a valid signature are always accepted from this address.',
  source_inactive: 'Switch the source on under Settings, or stop the sender.',
  rate_limited:
    'Let the sender wait for Retry-After and back off exponentially. You can raise the rate under Settings.',
  malformed_json: 'Build the body with a JSON library.',
  validation_failed: 'Correct the fields named above. A datetime looks like 2026-12-01T18:00:00+01:00.',
  mapping_failed: 'Correct the rule of the mapping that is named above, or the sender.',
  plan_limit_reached:
    'Move to a larger plan, or wait for the next calendar month (UTC). Cancel and delete still work.',
  unavailable:
    'Send the same request again after Retry-After. Sign it again only if it is more than five minutes old.',
  scope_missing: 'Create an API key with one of the scopes in required_scopes, and use it instead.',
  cursor_invalid:
    'Send next_cursor unchanged, with the same filters and sort as for the first page. Or start again without a cursor.',
  unknown_stage: 'Use the id of a stage in GET /api/public/pipeline-stages.',
  changed_meanwhile: 'Read the record again. Repeat the change with the new ETag in If-Match.',
  external_id_taken: 'Change the lead that has this external_id, or use another one.',
  subscription_limit_reached:
    'Delete a subscription that is not used, in the dashboard or by DELETE. Or ask for a higher SUBSCRIPTION_LIMIT.',
  subscription_paused: 'Resume the subscription: by "active": true, or in the dashboard. Then test it.',
  target_url_taken: 'Change or delete the other subscription with this URL.',
  handoff_not_requested: 'Accept a handoff only while the status is handoff_requested.',
  handoff_not_active: 'Accept the handoff first. Replies and its end are accepted while it is active.',
  idempotency_in_progress: 'Wait for Retry-After, then send the same request again to get its response.',
  idempotency_key_reused: 'Use a new Idempotency-Key for each new request, and the same one for its retries.',
};

/** The fix of a code. Undefined: none is known, or only a newer version knows the code. */
export function fixOf(code: ProblemCode): string | undefined {
  return FIXES[code];
}
