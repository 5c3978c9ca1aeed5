import { createHmac, timingSafeEqual } from 'node:crypto';
import { reformatted } from './slips.ts';
import { MAX_AGE_SECONDS } from './verify.ts';

/** Signing and verifying outbound messages (Standard Webhooks 1.0). */

const PREFIX = 'whsec_';
const VERSION = 'v1,';

export interface SignedMessage {
  /** The header webhook-id. */
  readonly messageId: string;
  /** The header webhook-timestamp: Unix time in seconds. */
  readonly timestamp: string | number;
  readonly body: string | Uint8Array;
}

/** The key of a secret: `whsec_` and base64. */
export function messageKey(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}

/** One signature of the header webhook-signature. */
export function signMessage(key: Uint8Array, { messageId, timestamp, body }: SignedMessage): string {
  return `${VERSION}${hmac(key, `${messageId}.${timestamp}.`, body)}`;
}

/** A wrong part of a message, in a sentence for the receiver; null: the part is right. */
export type Fault = string | null;

/** The form of the header webhook-signature: one or more `v1,<base64>`, with a space between two. */
export function describeMessageSignatureForm(header: string): Fault {
  if (header.trim() === '') return 'webhook-signature is empty.';
  if (header !== header.trim()) return 'webhook-signature has blanks around it. Remove them.';
  const known = header.split(' ').filter((one) => one.startsWith(VERSION));
  if (known.length === 0)
    return header.startsWith('sha256=')
      ? 'webhook-signature is of a request to Sluice (sha256=…). Leave --id out.'
      : 'webhook-signature has no part that begins with v1, (a comma, then base64).';
  const wrong = known.find((one) => !/^v1,[A-Za-z0-9+/]{43}=$/.test(one));
  return wrong === undefined ? null : 'webhook-signature has a part that is not the base64 of a SHA-256.';
}

/** The time of a message, compared with a clock in milliseconds since the Unix epoch. */
export function describeMessageAge(timestamp: string, nowMs: number): Fault {
  if (!/^\d{1,15}$/.test(timestamp)) return 'webhook-timestamp is not a decimal number of seconds.';
  const age = Math.floor(nowMs / 1000) - Number(timestamp);
  if (Math.abs(age) <= MAX_AGE_SECONDS) return null;
  const where = age > 0 ? `${age} seconds old` : `${-age} seconds ahead`;
  return `webhook-timestamp is ${where}; Standard Webhooks accepts ${MAX_AGE_SECONDS}. Check the receiver's clock.`;
}

/** Whether one of the signatures matches. Each comparison takes the same time wherever the two differ. */
export function checkMessageSignature(secret: string, header: string, message: SignedMessage): boolean {
  return isOneOf(header, signMessage(messageKey(secret), message));
}

/** Names the mistake of the receiver that explains a signature that does not match; null: no usual one does. */
export function describeMessageSlip(secret: string, header: string, message: SignedMessage): Fault {
  for (const [detail, one] of slipsOf(secret, message)) if (isOneOf(header, one)) return detail;
  return null;
}

function* slipsOf(secret: string, message: SignedMessage): Generator<readonly [string, string]> {
  const key = messageKey(secret);
  const { messageId, timestamp } = message;
  const body = Buffer.from(message.body);
  const text = body.toString('utf8');
  const signed = (detail: string, changed: Partial<SignedMessage>) =>
    [detail, signMessage(key, { ...message, ...changed })] as const;
  yield signed('The body lacks the newline at its end. Verify the exact bytes.', { body: `${text}\n` });
  yield signed('The body has a newline at its end that was not sent. Verify the exact bytes.', {
    body: text.replace(/\r?\n$/, ''),
  });
  for (const again of reformatted(text))
    yield signed('The body was reformatted. Verify the exact bytes, before they are parsed.', {
      body: again,
    });
  for (const by of [1, -1])
    yield signed('webhook-timestamp is of another attempt.', { timestamp: Number(timestamp) + by });
  const asText: readonly (readonly [string, string])[] = [
    ['The signature was made with the secret as text. Decode the base64 behind whsec_.', secret],
    [
      'The signature was made with the secret as text, without whsec_. Decode the base64.',
      secret.slice(PREFIX.length),
    ],
  ];
  for (const [detail, wrong] of asText)
    yield [detail, signMessage(Buffer.from(wrong), { messageId, timestamp, body })];
}

function isOneOf(header: string, signature: string): boolean {
  const expected = Buffer.from(signature, 'latin1');
  const found = header.split(' ').map((one) => Buffer.from(one, 'latin1'));
  return found.filter((one) => one.length === expected.length && timingSafeEqual(one, expected)).length > 0;
}

function hmac(key: Uint8Array, start: string, body: string | Uint8Array): string {
  return createHmac('sha256', key).update(start).update(body).digest('base64');
}

/**
 * The value of `webhook-signature` (Standard Webhooks 1.0): one signature for each secret that is valid now. Exactly one space
 * separates two, because Python's verifier raises an error on more.
 */
export function signatures(keys: readonly Uint8Array[], message: SignedMessage): string {
  return keys.map((key) => signMessage(key, message)).join(' ');
}
