import type { ProblemCode } from '@sluice/contract/problem';

/** How a client of the public API can fix a rejected request. */
export const PUBLIC_FIXES: Partial<Record<ProblemCode, string>> = {
  scope_missing: 'Create an API key with one of the scopes in required_scopes, and use it instead.',
  cursor_invalid:
    'Send next_cursor unchanged, with the same filters and sort as for the first page. Or start again without a cursor.',
  unknown_stage: 'Use the id of a stage in GET /api/public/pipeline-stages.',
  external_id_taken: 'Change the lead that has this external_id, or use another one.',
  subscription_limit_reached:
    'Delete a subscription that is not used, in the dashboard or by DELETE. Or ask for a higher SUBSCRIPTION_LIMIT.',
  subscription_paused: 'Resume the subscription: by "active": true, or in the dashboard. Then test it.',
  target_url_taken: 'Change or delete the other subscription with this URL.',
  handoff_not_requested: 'Accept a handoff only while the status is handoff_requested.',
  handoff_not_active: 'Accept the handoff first. Replies and its end are accepted while it is active.',
  changed_meanwhile: 'Read the record again. Repeat the change with the new ETag in If-Match.',
  idempotency_in_progress: 'Wait for Retry-After, then send the same request again to get its response.',
  idempotency_key_reused: 'Use a new Idempotency-Key for each new request, and the same one for its retries.',
};
