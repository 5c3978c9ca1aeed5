import type { ProblemCode } from '@sluice/contract/problem/problem';
import { setUpOf } from '@sluice/signature/presets/set-up';
import type { Profile } from '@sluice/signature/sender/profile';
import type { Sender } from '@sluice/signature/sender/sender';

/** What an admin does about a request whose signature is not that of its sender. `platform`: "Calendly". */
const FIXES: Partial<Record<ProblemCode, (platform: string) => string>> = {
  signature_missing: (platform) =>
    `Set up lists the steps for ${platform}. If another system sends to this source, choose it there with Change sender.`,
  signature_invalid: (platform) =>
    `Compare the signing secret under Set up with that of ${platform}, and correct the wrong one. A proxy must not change the body.`,
  timestamp_invalid: (platform) =>
    `Does ${platform} send to this source? If another system does, choose it under Set up with Change sender.`,
  timestamp_expired: (platform) =>
    `Check the clock of this installation. Someone may also have sent a recorded request of ${platform} again.`,
};

/** The fix of a rejection for another sender than one with the scheme of Sluice; undefined: it is the same. */
export function foreignFix(code: ProblemCode, { preset }: Sender): string | undefined {
  return FIXES[code]?.(setUpOf(preset)?.title ?? 'the sender');
}

/** What a check of the webhook is for a profile; undefined: there is no such check. `codes`: of the failed check. */
export function foreignCheck(name: string, codes: readonly string[], verify: Profile): string | undefined {
  const time = verify.kind === 'hmac' ? verify.time : undefined;
  if (codes.includes('signature_missing'))
    return `The ${verify.kind === 'basic' ? 'Authorization' : verify.header.join(' or ')} header is present`;
  if (codes.includes('timestamp_invalid')) return time && 'The time that is signed can be read';
  if (codes.includes('timestamp_expired'))
    return time && `That time is at most ${time.tolerance} seconds off`;
  if (!codes.includes('signature_invalid')) return name;
  return verify.kind === 'hmac' ? 'The signature matches the body and secret' : 'The secret matches';
}
