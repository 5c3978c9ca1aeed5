import { createHmac, timingSafeEqual } from 'node:crypto';
import { SIGNATURE_PREFIX } from './sign.ts';
import type { VerifyingKey } from './verify.ts';

/** A wrong signature of the right form (signature-form.ts), with what it should have signed. */
export interface WrongSignature {
  readonly key: VerifyingKey;
  readonly timestamp: string;
  readonly body: Uint8Array;
  readonly signature: string;
}

type Bytes = string | Uint8Array;

/** A mistake in signing, with the correction. */
interface Slip {
  readonly key: Bytes;
  readonly signed: readonly Bytes[];
  readonly detail: string;
}

const AS_SHOWN = 'The key is the secret exactly as shown, with whsec_.';
const WHAT_TO_SIGN = 'Sign "<timestamp>.<body>" over the exact bytes sent.';

/** How senders change the secret: a file or a form brings more characters, or the prefix is missing. */
const SECRET_SLIPS: readonly (readonly [detail: string, change: (secret: string) => Bytes])[] = [
  ...['\n', '\r\n', '\n\n'].map(
    (end) =>
      ['with a newline after the secret. Remove the newline', (secret: string) => secret + end] as const,
  ),
  ['with a blank after the secret. Remove the blank', (secret) => `${secret} `],
  ['with a blank before the secret. Remove the blank', (secret) => ` ${secret}`],
  ['with the secret in quotes. Remove the quotes', (secret) => `"${secret}"`],
  ['with the secret in quotes. Remove the quotes', (secret) => `'${secret}'`],
  ['with a byte order mark before the secret. Remove the mark', (secret) => `\uFEFF${secret}`],
  ['without whsec_ at the start of the secret. Add it', withoutPrefix],
  [
    'with the secret decoded as base64. Use its text',
    (secret) => Buffer.from(withoutPrefix(secret), 'base64'),
  ],
];

const PREFIX = 'whsec_';
function withoutPrefix(secret: string): string {
  return secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
}

const LF = 0x0a;

/** How senders change the signed text. */
function textSlips({
  timestamp,
  body,
}: WrongSignature): (readonly [detail: string, signed: readonly Bytes[]])[] {
  const withNewline = body.at(-1) === LF;
  return [
    ['covers the body alone. Add the timestamp', [body]],
    ['has no dot between timestamp and body. Add the dot', [timestamp, body]],
    ['covers the body and then the timestamp. Put the timestamp first', [body, `.${timestamp}`]],
    withNewline
      ? [
          'covers the body without the newline at its end. Sign it too, or do not send it',
          [`${timestamp}.`, body.subarray(0, -1)],
        ]
      : [
          'covers a newline after the body that was not sent. Send it too, or do not sign it',
          [`${timestamp}.`, body, '\n'],
        ],
    ...[1, -1].map(
      (by) =>
        [
          'has another timestamp than X-Service-Timestamp. Read the clock once for both',
          [`${Number(timestamp) + by}.`, body],
        ] as const,
    ),
  ];
}

/** The most often that `describeSlip` hashes a body. */
export const SLIPS_TRIED = SECRET_SLIPS.length + 6;

/**
 * Names the usual slip that leads to this signature; null for any other signature. It finds a slip only if the sender knows the
 * secret: each is the HMAC of a key with all of the secret's randomness. Each comparison takes the same time wherever the two
 * differ. All slips are tried, so that the time does not depend on which one it is.
 */
export function describeSlip(wrong: WrongSignature): string | null {
  const found = Buffer.from(wrong.signature, 'latin1');
  let detail: string | null = null;
  for (const slip of slipsOf(wrong)) {
    const hmac = createHmac('sha256', slip.key);
    for (const part of slip.signed) hmac.update(part);
    const made = Buffer.from(SIGNATURE_PREFIX + hmac.digest('hex'), 'latin1');
    if (made.length === found.length && timingSafeEqual(made, found)) detail ??= slip.detail;
  }
  return detail;
}

function slipsOf(wrong: WrongSignature): Slip[] {
  const secret = wrong.key.export().toString('utf8');
  const right = [`${wrong.timestamp}.`, wrong.body];
  return [
    ...SECRET_SLIPS.map(([what, change]) => ({
      key: change(secret),
      signed: right,
      detail: `X-Service-Signature was made ${what}. ${AS_SHOWN}`,
    })),
    ...textSlips(wrong).map(([what, signed]) => ({
      key: secret,
      signed,
      detail: `X-Service-Signature ${what}. ${WHAT_TO_SIGN}`,
    })),
  ];
}
