import { describeOtherSender } from '@sluice/signature/presets/looks-like';
import { OWN_PRESET } from '@sluice/signature/sender/sender';
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from '@sluice/signature/sign';
import { describeSignatureForm } from '@sluice/signature/signature-form';
import {
  checkHeaders,
  checkSignature,
  MAX_AGE_SECONDS,
  type SignatureHeaders,
} from '@sluice/signature/verify';
import { REFUSALS, type Refusal } from '../answer/refusal.ts';
import type { Incoming } from '../receive/incoming.ts';
import {
  badlySigned,
  REMEMBER_SLACK_SECONDS,
  unverified,
  type Verified,
  type VerifyInput,
  verifyBody,
} from './verified.ts';
import { verifySender } from './verify-sender.ts';

/** Checks headers, signature and body (docs/errors.md). It is pure but for the functions that it is given. */
export function verifyRequest(input: VerifyInput): Verified {
  const { source, bytes, http, nowMs } = input;
  if (source.sender !== undefined) return verifySender(input, source.sender);
  const headers = checkHeaders(signatureHeaders(http), nowMs);
  switch (headers.outcome) {
    case 'signature_missing':
      return unverified(missing(describeOtherSender(http.headers, OWN_PRESET)));
    case 'timestamp_invalid':
    case 'timestamp_expired':
      return unverified({ code: headers.outcome, detail: headers.detail });
    case 'plausible':
      break;
  }
  const { timestamp, signature, seconds } = headers;
  const rememberSeconds = seconds - Math.floor(nowMs / 1000) + MAX_AGE_SECONDS + REMEMBER_SLACK_SECONDS;
  const signed = { timestamp, signature, rememberSeconds };
  if (checkSignature(source.key, timestamp, bytes, signature)) return verifyBody(source, bytes, signed);
  const { previous } = source;
  if (previous === undefined) return badlySigned(input, invalidSignature(signature));
  const signedWith = checkSignature(previous.key, timestamp, bytes, signature) ? 'previous' : 'neither';
  return signedWith === 'previous' && previous.accepted
    ? { ...verifyBody(source, bytes, signed), signedWith }
    : badlySigned(input, invalidSignature(signature), signedWith);
}

function missing(other: string | undefined): Refusal {
  const { code, detail } = REFUSALS.signature_missing;
  return other === undefined ? REFUSALS.signature_missing : { code, detail: `${detail} ${other}` };
}

/** The headers of the scheme of Sluice. */
export function signatureHeaders({ headers }: Pick<Incoming, 'headers'>): SignatureHeaders {
  return { signature: oneOf(headers[SIGNATURE_HEADER]), timestamp: oneOf(headers[TIMESTAMP_HEADER]) };
}

function oneOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function invalidSignature(signature: string): Refusal {
  const form = describeSignatureForm(signature);
  return form === null ? REFUSALS.signature_invalid : { ...REFUSALS.signature_invalid, detail: form };
}
