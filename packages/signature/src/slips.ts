/** Pure, and without Node: the ingress, the command line and the dashboard in the browser share it. */

export type Bytes = string | Uint8Array;

/** A mistake in signing, with the correction. */
export interface Slip {
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
  ['with blanks around the secret. Remove the blanks', (secret) => ` ${secret} `],
  ['with the secret in quotes. Remove the quotes', (secret) => `"${secret}"`],
  ['with the secret in quotes. Remove the quotes', (secret) => `'${secret}'`],
  ['with a byte order mark before the secret. Remove the mark', (secret) => `\uFEFF${secret}`],
  ['without whsec_ at the start of the secret. Add it', withoutPrefix],
  ['with a carriage return after the secret. Remove it', (secret) => `${secret}\r`],
  ['with a tab after the secret. Remove it', (secret) => `${secret}\t`],
  ['with an empty secret. Is the variable set that it is read from?', () => ''],
  ...['undefined', 'null', 'None'].map(
    (text) =>
      [`with "${text}" as the secret. Is the variable set that it is read from?`, () => text] as const,
  ),
  ['with the secret decoded as base64. Use its text', (secret) => decodedBase64(withoutPrefix(secret))],
];

const PREFIX = 'whsec_';
function withoutPrefix(secret: string): string {
  return secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
}

const LF = 0x0a;

/** How senders change the signed text. */
function textSlips({ timestamp, body }: SlipInput): (readonly [detail: string, signed: readonly Bytes[]])[] {
  const text = bodyText(body);
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
    ['covers the body in ASCII. Sign its UTF-8 bytes', [`${timestamp}.`, narrowed(text, 0x7f)]],
    ['covers the body in Latin-1. Sign its UTF-8 bytes', [`${timestamp}.`, narrowed(text, 0xff)]],
    ...[1, -1].map(
      (by) =>
        [
          'has another timestamp than X-Service-Timestamp. Read the clock once for both',
          [`${Number(timestamp) + by}.`, body],
        ] as const,
    ),
  ];
}

/** The request that a wrong signature should have signed. */
export interface SlipInput {
  readonly secret: string;
  readonly timestamp: string;
  readonly body: Uint8Array;
}

/** The most slips that there are for one request. */
export const SLIPS = SECRET_SLIPS.length + 14;

/** The usual slips. Each is the HMAC of another key, or over another text. */
export function slipsOf(input: SlipInput): Slip[] {
  const { secret, timestamp, body } = input;
  const right = [`${timestamp}.`, body];
  return [
    ...SECRET_SLIPS.map(([what, change]) => ({
      key: change(secret),
      signed: right,
      detail: `X-Service-Signature was made ${ended(what)} ${AS_SHOWN}`,
    })),
    ...textSlips(input).map(([what, signed]) => ({
      key: secret,
      signed,
      detail: `X-Service-Signature ${what}. ${WHAT_TO_SIGN}`,
    })),
    ...reformatted(bodyText(body)).map((text) => ({
      key: secret,
      signed: [`${timestamp}.`, text],
      detail: REFORMATTED,
    })),
  ];
}

const ended = (sentence: string) => (sentence.endsWith('?') ? sentence : `${sentence}.`);

const bodyText = (body: Uint8Array) => new TextDecoder().decode(body);

/** The text in an encoding of one byte a character, in which all characters above `last` become question marks. */
function narrowed(text: string, last: number): Uint8Array {
  return Uint8Array.from(text, (one) => (one.charCodeAt(0) > last ? 0x3f : one.charCodeAt(0)));
}

export const REFORMATTED =
  'The body was reformatted after it was signed. Sign the exact bytes that are sent.';

/** The body as JSON libraries often write it again. Empty if it is not JSON. */
export function reformatted(body: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(body);
    const compact = JSON.stringify(value);
    const spaced = JSON.stringify(value, null, 1)
      .replace(/\n */g, ' ')
      .replace(/([[{]) | ([\]}])/g, '$1$2');
    const indented = [2, 4].map((blanks) => JSON.stringify(value, null, blanks));
    return [compact, spaced, ...indented, escaped(compact), escaped(spaced)];
  } catch {
    return [];
  }
}

/** JSON in ASCII, as Python and PHP write it. */
function escaped(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Bytes of a text that may be base64; the text itself if it cannot be. */
function decodedBase64(text: string): Bytes {
  try {
    return Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  } catch {
    return text;
  }
}
