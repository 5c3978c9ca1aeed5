import type { Ticket } from '@sluice/admission/admit';
import type { Action, ActionKind } from '@sluice/contract/action';
import type { SignedWith } from '@sluice/contract/delivery';
import { decodeBody, parseActionText } from '@sluice/contract/parse-action';
import { describeSignatureForm } from '@sluice/signature/signature-form';
import { checkHeaders, checkSignature, MAX_AGE_SECONDS } from '@sluice/signature/verify';
import { REFUSALS, type Refusal } from '../answer/refusal.ts';
import type { KnownSource } from './known-source.ts';

/** What the admission needs of a request, and what will become of it there. */
export type Verified =
  | {
      readonly outcome: 'action';
      readonly ticket: Ticket;
      readonly action: Action;
      /** The text of the body: its one decoding serves the log too. */
      readonly text: string | undefined;
      readonly signedWith?: SignedWith | undefined;
    }
  | {
      readonly outcome: 'refused';
      readonly ticket: Ticket;
      readonly refusal: Refusal;
      /** What may be told of the body in the delivery log: nothing where it was not verified. */
      readonly action: ActionKind | null;
      readonly title: string | null;
      /** The body's text, where its signature held and it is UTF-8. */
      readonly text: string | undefined;
      readonly signedWith?: SignedWith | undefined;
    };

export interface VerifyInput {
  readonly source: KnownSource;
  readonly bytes: Uint8Array;
  readonly signature: string | undefined;
  readonly timestamp: string | undefined;
  /** The client address as limits are counted by it. */
  readonly address: () => string;
  /** Is this address known to be over its limit of bad signatures? Asked only where a signature is wrong. */
  readonly isBlocked: () => boolean;
  readonly nowMs: number;
}

/** An identical request stays inside the window this much longer than the clocks say, as clocks differ. */
const REMEMBER_SLACK_SECONDS = 60;

/** Checks 5 to 8 and 11 of the design's table: pure but for what it is given. */
export function verifyRequest(input: VerifyInput): Verified {
  const { source, bytes, nowMs } = input;
  const headers = checkHeaders(input, nowMs);
  switch (headers.outcome) {
    case 'signature_missing':
      return unverified(REFUSALS.signature_missing);
    case 'timestamp_invalid':
    case 'timestamp_expired':
      return unverified({ code: headers.outcome, detail: headers.detail });
    case 'plausible':
      break;
  }
  const { timestamp, signature, seconds } = headers;
  const rememberSeconds = seconds - Math.floor(nowMs / 1000) + MAX_AGE_SECONDS + REMEMBER_SLACK_SECONDS;
  const signed = { timestamp, signature, rememberSeconds };
  if (checkSignature(source.key, timestamp, bytes, signature)) return verifyBody(bytes, signed);
  const { previous } = source;
  if (previous === undefined) return badlySigned(input, signature);
  const signedWith = checkSignature(previous.key, timestamp, bytes, signature) ? 'previous' : 'neither';
  return signedWith === 'previous' && previous.accepted
    ? { ...verifyBody(bytes, signed), signedWith }
    : badlySigned(input, signature, signedWith);
}

/** A request that is refused before its signature was looked at: nothing of it is believed. */
export function unverified(refusal: Refusal): Verified {
  const ticket: Ticket = { kind: 'unverified', code: refusal.code };
  return { outcome: 'refused', ticket, refusal, action: null, title: null, text: undefined };
}

/**
 * The admission sees these requests too, even from an address over its limit: if the secret was rotated after the source was
 * cached, the signature may be right, and the admission sends the request back to be verified with the new secret.
 */
function badlySigned(
  { address, isBlocked }: VerifyInput,
  signature: string,
  signedWith?: SignedWith,
): Verified {
  const refusal = signedWith === 'previous' ? REFUSALS.signature_of_old_secret : invalidSignature(signature);
  const { code } = refusal;
  return {
    outcome: 'refused',
    ticket: { kind: 'badly_signed', code, address: address(), blocked: isBlocked(), signedWith },
    signedWith,
    refusal,
    action: null,
    title: null,
    text: undefined,
  };
}

function invalidSignature(signature: string): Refusal {
  const form = describeSignatureForm(signature);
  return form === null ? REFUSALS.signature_invalid : { ...REFUSALS.signature_invalid, detail: form };
}

/** What an action's ticket says of the request's headers. */
type Signed = Pick<Extract<Ticket, { kind: 'action' }>, 'timestamp' | 'signature' | 'rememberSeconds'>;

function verifyBody(bytes: Uint8Array, { timestamp, signature, rememberSeconds }: Signed): Verified {
  const text = decodeBody(bytes);
  const parsed = parseActionText(text);
  switch (parsed.outcome) {
    case 'valid': {
      const upsert = parsed.action.kind === 'upsert';
      return {
        outcome: 'action',
        // Field by field: one for every request, and a spread costs more than the rest of it.
        ticket: { kind: 'action', upsert, timestamp, signature, rememberSeconds },
        action: parsed.action,
        text,
      };
    }
    case 'malformed_json': {
      const refusal: Refusal = { code: 'malformed_json', detail: parsed.detail };
      return { outcome: 'refused', ticket: { kind: 'refused' }, refusal, action: null, title: null, text };
    }
    case 'validation_failed': {
      const detail = 'The body is not as the documentation says. Correct the fields named in errors.';
      const refusal: Refusal = { code: 'validation_failed', detail, errors: parsed.errors };
      return {
        outcome: 'refused',
        ticket: { kind: 'refused' },
        refusal,
        action: parsed.action,
        title: parsed.title,
        text,
      };
    }
  }
}
