import type { Delivery, SignedWith, UnappliedCode } from '@sluice/contract/delivery/delivery';
import { fixOf } from '@sluice/contract/problem/fixes';
import { type ProblemCode, problemTitle, WEBHOOK_CHECKS } from '@sluice/contract/problem/problem';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import type { DeliveryDetail } from '@sluice/dashboard-api/deliveries';
import type { Sender } from '@sluice/signature/sender/sender';
import { foreignCheck, foreignFix } from './why-foreign.ts';

export type Why = NonNullable<DeliveryDetail['why']>;

/** A rejection needs no other delivery and no event to explain it. */
const ALONE: Pick<Why, 'links' | 'near'> = { links: [], near: [] };

/** The state of the source's secrets when a delivery is explained. Times: milliseconds since the Unix epoch. */
export interface SecretsNow {
  /** When the old secret stops being accepted; null: it is not accepted. */
  readonly overlapUntil: number | null;
  readonly now: number;
}

/** Explains a rejected or failed delivery, or one that still needs attention; null if nothing is wrong. `sender`: of the source now. */
export function explain(row: Delivery, secrets: SecretsNow, sender?: Sender): Why | null {
  const { code, outcome, reason, unapplied } = row;
  if (code !== null) return explainRefusal(code, row, sender);
  if (unapplied !== undefined) return explainUnapplied(unapplied, row);
  if (outcome !== 'failed') return row.signed_with === 'previous' ? explainOldSecret(secrets) : null;
  return {
    title: 'Accepted, but not applied',
    what: reason ?? 'The action could not be applied.',
    fix: 'It is kept as a dead letter. An owner can retry or drop it under Ops.',
    checks: WEBHOOK_CHECKS.map(([name]) => ({ name, passed: true })),
    ...ALONE,
  };
}

/** A request of another sender, which got a 200. The checks are those of the scheme of Sluice, so it has none. */
function explainUnapplied(code: UnappliedCode, { reason, mapped, count }: Delivery): Why {
  const by = mapped?.rule === undefined ? 'the mapping' : `/rules/${mapped.rule} of the mapping`;
  const counted = count > 1 ? ` (${count} requests in one minute)` : '';
  const why = { what: reason ?? '', checks: [], ...ALONE };
  switch (code) {
    case 'no_rule':
      return {
        ...why,
        title: `No rule of the mapping matches${counted}`,
        fix: 'To make an event of such bodies, add a rule to the mapping and reprocess this delivery. Otherwise nothing needs a fix.',
      };
    case 'ignored_by_rule':
      return {
        ...why,
        title: `Ignored by ${by}${counted}`,
        fix: 'Nothing needs a fix. To make an event of such bodies, change the rule and reprocess this delivery.',
      };
    case 'mapping_failed':
      return {
        ...why,
        title: 'The mapping makes no action of this body',
        fix: `Correct ${by}, or the sender. Then reprocess this delivery: its body is stored.`,
      };
  }
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
    checks: WEBHOOK_CHECKS.map(([name, ...codes]) => ({
      name: named(name, codes, 'previous'),
      passed: true,
    })),
    ...ALONE,
  };
}

function timeLeft(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE_MS);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}

const SECRET_MATCHED: Record<SignedWith, string> = {
  previous: ' (it matches the secret before the last rotation)',
  neither: ' (it matches neither this secret nor the one before)',
};

/** The name of a check. The signature check names the secret that matched, if known. */
function named(name: string, codes: readonly string[], signedWith: SignedWith | undefined): string {
  const matched = signedWith !== undefined && codes.includes('signature_invalid');
  return matched ? name + SECRET_MATCHED[signedWith] : name;
}

function explainRefusal(code: ProblemCode, row: Delivery, sender: Sender | undefined): Why {
  const { reason, http_status, count, signed_with: signedWith } = row;
  const failed = WEBHOOK_CHECKS.findIndex(([, ...codes]) => codes.includes(code));
  const shown = failed === -1 ? [] : WEBHOOK_CHECKS.slice(0, failed + 1);
  const counted = count > 1 ? ` (${count} requests in one minute)` : '';
  const old = signedWith === 'previous' && code === 'signature_invalid';
  const fix = (sender && foreignFix(code, sender)) ?? fixOf(code);
  return {
    title: (old ? 'Signed with the old secret' : problemTitle(code)) + counted,
    what: reason ?? `The request was rejected with ${http_status} ${code}.`,
    fix: old ? CONFIGURE : (fix ?? 'See the documentation of this error code.'),
    checks: shown.flatMap(([own, ...codes], index) => {
      // The sender may have been changed since.
      const name =
        (sender && foreignCheck(own, codes, sender.verify)) ?? (index < failed && sender ? undefined : own);
      return name === undefined ? [] : [{ name: named(name, codes, signedWith), passed: index < failed }];
    }),
    ...ALONE,
  };
}
