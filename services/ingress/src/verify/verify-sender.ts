import { createHash } from 'node:crypto';
import { DAY_MS, SECOND_MS } from '@sluice/contract/time/durations';
import { describeOtherSender } from '@sluice/signature/presets/looks-like';
import type { SenderVerdict } from '@sluice/signature/sender/compile-verifier';
import { OWN_PRESET } from '@sluice/signature/sender/sender';
import { REFUSALS } from '../answer/refusal.ts';
import type { KnownSender } from './known-source.ts';
import { mapRequest } from './map-request.ts';
import {
  badlySigned,
  REMEMBER_SLACK_SECONDS,
  type Signed,
  unverified,
  type Verified,
  type VerifyInput,
  verifyBody,
} from './verified.ts';

/** Checks a request of another sender by its profile, in the order of docs/errors.md. */
export function verifySender(input: VerifyInput, { verify, mapper }: KnownSender): Verified {
  const { source, bytes, http, nowMs } = input;
  const headers = { values: http.headers, isRepeated: http.isRepeated ?? isNever };
  const read = (verdict: VerifiedSender): Verified =>
    mapper === undefined
      ? verifyBody(source, bytes, signedBy(verdict, input, false))
      : mapRequest(input, mapper, (isDated) => signedBy(verdict, input, isDated));
  const verdict = verify(headers, bytes, source.key, nowMs);
  switch (verdict.outcome) {
    case 'verified':
      return read(verdict);
    case 'signature_missing': {
      const other = describeOtherSender(http.headers, source.record.sender?.preset ?? OWN_PRESET);
      const { outcome: code, detail } = verdict;
      return unverified({ code, detail: other === undefined ? detail : `${detail} ${other}` });
    }
    case 'timestamp_invalid':
    case 'timestamp_expired':
      return unverified({ code: verdict.outcome, detail: verdict.detail });
    case 'signature_invalid': {
      const refusal = { ...REFUSALS.signature_invalid, detail: verdict.detail };
      const { previous } = source;
      if (previous === undefined) return badlySigned(input, refusal);
      const before = verify(headers, bytes, previous.key, nowMs);
      if (before.outcome !== 'verified') return badlySigned(input, refusal, 'neither');
      return previous.accepted
        ? { ...read(before), signedWith: 'previous' }
        : badlySigned(input, refusal, 'previous');
    }
  }
}

const isNever = () => false;

type VerifiedSender = Extract<SenderVerdict, { outcome: 'verified' }>;

/** The days on which the id of a message is looked up: this one and two before. Seconds that a day is remembered. */
const EARLIER_DAYS = [1, 2];
const ID_SECONDS = 3 * (DAY_MS / SECOND_MS);

/**
 * What makes a request the same as another (docs/senders.md): its id, its time and signature, or a body that says when the change was
 * made. Others are never the same, because two equal bodies may be two changes. The keys have the id of the source: those of the scheme of Sluice have
 * another lifetime.
 */
function signedBy(
  { digest, time, id }: VerifiedSender,
  { source, requestId, nowMs }: VerifyInput,
  isDated: boolean,
): Signed {
  const { source_id } = source.record;
  const nowSeconds = Math.floor(nowMs / SECOND_MS);
  const once = id ?? (isDated && time === undefined ? digest : undefined);
  if (once !== undefined) {
    const day = Math.floor(nowMs / DAY_MS);
    const [timestamp, ...earlier] = [0, ...EARLIER_DAYS].map((before) => `d${day - before}.${source_id}`) as [
      string,
    ];
    return { timestamp, earlier, signature: `sha256=${hashed(once)}`, rememberSeconds: ID_SECONDS };
  }
  if (time === undefined)
    return {
      timestamp: `n${nowSeconds}.${source_id}`,
      signature: `sha256=${hashed(requestId)}`,
      rememberSeconds: 1,
    };
  const rememberSeconds = time.seconds - nowSeconds + time.tolerance + REMEMBER_SLACK_SECONDS;
  return { timestamp: `s${time.seconds}.${source_id}`, signature: `sha256=${digest}`, rememberSeconds };
}

const hashed = (text: string): string => createHash('sha256').update(text).digest('hex');
