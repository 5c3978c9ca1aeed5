import type { Delivery, SignedWith } from '@sluice/contract/delivery';
import { MINUTE_MS } from '@sluice/contract/durations';
import { type ProblemCode, problemTitle } from '@sluice/contract/problem';
import type { DeliveryDetail } from '@sluice/dashboard-api/deliveries';

export type Why = NonNullable<DeliveryDetail['why']>;

/** The webhook's checks in order (docs/errors.md), with the codes of each. */
const CHECKS: readonly (readonly [name: string, ...codes: ProblemCode[]])[] = [
  ['The request is a POST', 'method_not_allowed'],
  ['The body is application/json', 'unsupported_media_type'],
  ['The body is at most 256 KiB', 'payload_too_large'],
  ['The X-Service-Signature header is present', 'signature_missing'],
  ['X-Service-Timestamp is a decimal number of seconds', 'timestamp_invalid'],
  ['The timestamp is at most 300 seconds off', 'timestamp_expired'],
  ['The signature matches the timestamp, body and secret', 'signature_invalid', 'too_many_bad_signatures'],
  ['The source is switched on', 'source_inactive'],
  ['The source is within its rate limit', 'rate_limited'],
  ['The body is valid JSON', 'malformed_json'],
  ['The fields are valid', 'validation_failed'],
  ['The plan allows the action', 'plan_limit_reached'],
  ['The action was stored', 'unavailable'],
];

/** How a sender or an admin can fix a rejected request. */
export const FIXES: Partial<Record<ProblemCode, string>> = {
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
  plan_limit_reached:
    'Move to a larger plan, or wait for the next calendar month (UTC). Cancel and delete still work.',
  unavailable:
    'Send the same request again after Retry-After. Sign it again only if it is more than five minutes old.',
};

/** A rejection needs no other delivery and no event to explain it. */
const ALONE: Pick<Why, 'links' | 'near'> = { links: [], near: [] };

/** The state of the source's secrets when a delivery is explained. Times: milliseconds since the Unix epoch. */
export interface SecretsNow {
  /** When the old secret stops being accepted; null: it is not accepted. */
  readonly overlapUntil: number | null;
  readonly now: number;
}

/** Explains a rejected or failed delivery, or one that still needs attention; null if nothing is wrong. */
export function explain(row: Delivery, secrets: SecretsNow): Why | null {
  const { code, outcome, reason } = row;
  if (code !== null) return explainRefusal(code, row);
  if (outcome !== 'failed') return row.signed_with === 'previous' ? explainOldSecret(secrets) : null;
  return {
    title: 'Accepted, but not applied',
    what: reason ?? 'The action could not be applied.',
    fix: 'It is kept as a dead letter. An owner can retry or drop it under Ops.',
    checks: CHECKS.map(([name]) => ({ name, passed: true })),
    ...ALONE,
  };
}

const CONFIGURE = 'Configure the new signing secret in the sender. You find it under Set up.';

function explainOldSecret({ overlapUntil, now }: SecretsNow): Why {
  const left = overlapUntil === null ? null : timeLeft(overlapUntil - now);
  return {
    title: `Accepted, but with the old secret${left === null ? '' : `: ${left} left`}`,
    what:
      left === null
        ? 'The request arrived while the old secret was still accepted. Requests signed with it now get 401.'
        : 'The secret was rotated. The old one is still accepted for a while. After that, requests signed with it get 401.',
    fix: CONFIGURE,
    checks: CHECKS.map(([name, ...codes]) => ({ name: named(name, codes, 'previous'), passed: true })),
    ...ALONE,
  };
}

function timeLeft(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE_MS);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}

const SECRET_CHECK: Record<SignedWith, string> = {
  previous:
    'The signature matches the timestamp, body and secret (it matches the secret before the last rotation)',
  neither:
    'The signature matches the timestamp, body and secret (it matches neither this secret nor the one before)',
};

/** The name of a check. The signature check names the secret that matched, if known. */
function named(name: string, codes: readonly ProblemCode[], signedWith: SignedWith | undefined): string {
  return signedWith !== undefined && codes.includes('signature_invalid') ? SECRET_CHECK[signedWith] : name;
}

function explainRefusal(code: ProblemCode, row: Delivery): Why {
  const { reason, http_status, count, signed_with: signedWith } = row;
  const failed = CHECKS.findIndex(([, ...codes]) => codes.includes(code));
  const shown = failed === -1 ? [] : CHECKS.slice(0, failed + 1);
  const counted = count > 1 ? ` (${count} requests in one minute)` : '';
  const old = signedWith === 'previous' && code === 'signature_invalid';
  return {
    title: (old ? 'Signed with the old secret' : problemTitle(code)) + counted,
    what: reason ?? `The request was rejected with ${http_status} ${code}.`,
    fix: old ? CONFIGURE : (FIXES[code] ?? 'See the documentation of this error code.'),
    checks: shown.map(([name, ...codes], index) => ({
      name: named(name, codes, signedWith),
      passed: index < failed,
    })),
    ...ALONE,
  };
}
