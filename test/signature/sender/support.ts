import {
  compileVerifier,
  type SenderHeaders,
  type SenderVerdict,
} from '@sluice/signature/sender/compile-verifier';
import { type Profile, type ProfileInput, readProfile } from '@sluice/signature/sender/profile';
import { senderKey } from '@sluice/signature/sender/sender-key';

/** The profile of an input that must be valid. */
export function profileOf(input: ProfileInput): Profile {
  const read = readProfile(input);
  if (read.outcome === 'valid') return read.profile;
  throw new Error(JSON.stringify(read.errors));
}

/** Headers as Node presents them, each sent once. */
export function headersOf(headers: Readonly<Record<string, string>>): SenderHeaders {
  const values = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return { values, isRepeated: () => false };
}

interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly secret: string;
  /** Milliseconds since the Unix epoch. */
  readonly nowMs?: number;
}

/** The verdict on one request. */
export function verdictOf(
  profile: Profile,
  { headers, body, secret, nowMs = Date.now() }: Received,
): SenderVerdict {
  return compileVerifier(profile)(
    headersOf(headers),
    Buffer.from(body as string),
    senderKey(profile, secret),
    nowMs,
  );
}
