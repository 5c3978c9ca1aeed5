import type { Delivery, SignedWith } from '@sluice/contract/delivery';
import { type ProblemCode, problemTitle } from '@sluice/contract/problem';
import type { DeliveryDetail } from '@sluice/dashboard-api/deliveries';

type Why = NonNullable<DeliveryDetail['why']>;

/** The checks of the webhook in their order (design: Answers), with the codes that each refuses with. */
const CHECKS: readonly (readonly [name: string, ...codes: ProblemCode[]])[] = [
  ['The request is a POST', 'method_not_allowed'],
  ['The body is sent as application/json', 'unsupported_media_type'],
  ['The body is at most 256 KiB', 'payload_too_large'],
  ['The header X-Service-Signature is there', 'signature_missing'],
  ['X-Service-Timestamp is a decimal number of seconds', 'timestamp_invalid'],
  ['The timestamp is at most 300 seconds off', 'timestamp_expired'],
  ['The signature fits timestamp, body and secret', 'signature_invalid', 'too_many_bad_signatures'],
  ['The source is switched on', 'source_inactive'],
  ['The source is within its rate', 'rate_limited'],
  ['The body is valid JSON', 'malformed_json'],
  ['The fields are as documented', 'validation_failed'],
  ['The plan allows it', 'plan_limit_reached'],
  ['The action could be stored', 'unavailable'],
];

/** What a sender or an admin can do about a refusal of the webhook. */
export const FIXES: Partial<Record<ProblemCode, string>> = {
  unsupported_media_type: 'Send the header Content-Type: application/json and no Content-Encoding.',
  payload_too_large: 'Shorten the event; leave out what is not needed.',
  signature_missing: 'Sign every request: see the code samples under Set up.',
  timestamp_invalid: 'Send the current Unix time in whole seconds, as digits, in X-Service-Timestamp.',
  timestamp_expired:
    'Sign right before sending, with the time in seconds and not in milliseconds, and anew what could not be sent within five minutes. Check the clock of the sender.',
  signature_invalid:
    'Sign "<timestamp>.<body>" over the exact bytes that are sent, with the current secret as a whole, whsec_ included, and send lower-case hex after sha256=. Was the secret rotated?',
  too_many_bad_signatures:
    'Correct the signing secret in the sender. Right signatures from its address are accepted at any time.',
  source_inactive: 'Switch the source on under Settings, or stop the sender.',
  rate_limited:
    'Let the sender wait for Retry-After and back off exponentially. The rate can be raised under Settings.',
  malformed_json: 'Let the sender build the body with a JSON library.',
  validation_failed:
    'Correct the fields that are named above. A datetime looks like 2026-12-01T18:00:00+01:00.',
  plan_limit_reached:
    'Move to a larger plan, or wait for the next calendar month (UTC). Cancel and delete still work.',
  unavailable:
    'Let the sender send the same request again after Retry-After, and sign it anew only once it is five minutes old.',
};

/** What is known of the source's secrets when a delivery is explained. Times: milliseconds since the Unix epoch. */
export interface SecretsNow {
  /** Until then the old secret is accepted; null: it is not. */
  readonly overlapUntil: number | null;
  readonly now: number;
}

/** Why a delivery was refused or failed, or what is to be done all the same; null where all went well. */
export function explain(row: Delivery, secrets: SecretsNow): Why | null {
  const { code, outcome, reason } = row;
  if (code !== null) return explainRefusal(code, row);
  if (outcome !== 'failed') return row.signed_with === 'previous' ? explainOldSecret(secrets) : null;
  return {
    title: 'Accepted, but not applied',
    what: reason ?? 'The action could not be applied.',
    fix: 'It is kept as a dead letter: an owner can run it again, or drop it, under Ops.',
    checks: CHECKS.map(([name]) => ({ name, passed: true })),
  };
}

const CONFIGURE = 'Configure the new signing secret in the sender: it stands under Set up.';

function explainOldSecret({ overlapUntil, now }: SecretsNow): Why {
  const left = overlapUntil === null ? null : timeLeft(overlapUntil - now);
  return {
    title: `Accepted, but with the old secret${left === null ? '' : `: ${left} left`}`,
    what:
      left === null
        ? 'It came while the secret that was rotated was still accepted. Requests signed with it now get 401.'
        : 'The secret was rotated, and the old one is accepted for a while yet. After that such a request gets 401.',
    fix: CONFIGURE,
    checks: CHECKS.map(([name, ...codes]) => ({ name: named(name, codes, 'previous'), passed: true })),
  };
}

const MINUTE_MS = 60_000;

function timeLeft(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE_MS);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}

const SECRET_CHECK: Record<SignedWith, string> = {
  previous: 'The signature fits timestamp, body and secret (it fits the secret before the last rotation)',
  neither: 'The signature fits timestamp, body and secret (it fits neither this one nor the one before)',
};

/** The name of a check; that of the signature says which secret it fits, where that is known. */
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
    what: reason ?? `The request was refused with ${http_status} ${code}.`,
    fix: old ? CONFIGURE : (FIXES[code] ?? 'See the documentation of this code.'),
    checks: shown.map(([name, ...codes], index) => ({
      name: named(name, codes, signedWith),
      passed: index < failed,
    })),
  };
}
