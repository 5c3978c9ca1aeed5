import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { headerReader, partOf, type SenderHeaders } from './compile-verifier.ts';
import type { HmacProfile } from './profile.ts';
import { describeForm, pairIn, signaturesIn } from './signatures-in.ts';

/** How many signatures an explanation computes at most. */
export const SENDER_SLIPS_TRIED = 6;

export interface WronglySigned {
  readonly profile: HmacProfile;
  /** The `senderKey` of the secret. */
  readonly key: KeyObject;
  readonly headers: SenderHeaders['values'];
  readonly bytes: Uint8Array;
}

type Slip = readonly [detail: string, key: KeyObject | Uint8Array, signed: readonly (string | Uint8Array)[]];

/** Names what the profile of a source has otherwise than its sender; null: none of the usual mistakes. Only one who knows the secret gets it. */
export function describeSenderSlip(request: WronglySigned): string | null {
  const { profile, headers } = request;
  const { name, value } = headerIn(profile.header, headers);
  if (value === '') return null;
  const sent = decodedSignatures(value, profile);
  for (const [detail, key, signed] of slipsOf(request, value)) {
    const hmac = createHmac(profile.algorithm, key);
    for (const part of signed) hmac.update(part);
    const digest = hmac.digest();
    if (sent.some((one) => one.length === digest.length && timingSafeEqual(one, digest)))
      return `${name} is signed with the right secret, but ${detail}`;
  }
  return null;
}

const isNever = () => false;

/** The value is '' if the header is missing. */
function headerIn(names: readonly string[], values: SenderHeaders['values']) {
  const header = headerReader(names, 'signature_missing')({ values, isRepeated: isNever });
  return { name: header.name, value: 'fault' in header ? '' : header.value };
}

function slipsOf({ profile, key, headers, bytes }: WronglySigned, value: string): readonly Slip[] {
  const full = signedParts(profile, { headers, bytes, value });
  const raw = key.export();
  const others = keySlips(profile, raw).filter(
    ([, other], index, all) =>
      !other.equals(raw) && all.findIndex(([, earlier]) => earlier.equals(other)) === index,
  );
  return [
    [`in another form or encoding: the source expects ${describeForm(profile)}.`, key, full],
    ...(profile.signed.join() === '{body}' ? [] : [[BODY_ALONE, key, [bytes]] as const]),
    ...others.map(([detail, other]): Slip => [detail, other, full]),
  ];
}

const BODY_ALONE =
  'the signature covers the body alone. Compare "signed" with the documentation of the sender.';
const PREFIX = 'whsec_';

function keySlips({ key }: HmacProfile, raw: Buffer): readonly (readonly [detail: string, key: Buffer])[] {
  if (key.encoding !== 'text') {
    const text = raw.toString(key.encoding);
    const whole = 'the key of the sender is the text of the secret, not the bytes that it encodes.';
    return [
      [whole, Buffer.from((key.strip ?? '') + text)],
      [whole, Buffer.from(text)],
    ];
  }
  const text = raw.toString('utf8');
  const bare = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text;
  return [
    ['the key of the sender is what the secret encodes in base64.', Buffer.from(bare, 'base64')],
    [`the key of the sender is the secret without ${PREFIX}.`, Buffer.from(bare)],
    ['the key of the sender has a newline at its end.', Buffer.from(`${text}\n`)],
  ];
}

function signedParts(
  profile: HmacProfile,
  { headers, bytes, value }: Pick<WronglySigned, 'headers' | 'bytes'> & { readonly value: string },
): readonly (string | Uint8Array)[] {
  const { time, id } = profile;
  const pair = time?.from === 'pair' ? pairIn(value, profile, time.name) : undefined;
  const timeText = time?.from === 'header' ? headerIn(time.header, headers).value : (pair ?? '');
  const idText = id?.from === 'header' ? headerIn(id.header, headers).value : '';
  return profile.signed.map((part) => partOf(part, timeText, idText, bytes));
}

/** Also those that the form of the profile does not have. */
function decodedSignatures(value: string, profile: HmacProfile): readonly Buffer[] {
  const whole = value.trim();
  return [...signaturesIn(value, profile), whole, whole.slice(whole.indexOf('=') + 1)]
    .filter((text) => ENCODED.test(text))
    .flatMap((text) => ENCODINGS.map((encoding) => Buffer.from(text, encoding)));
}

/** Node's decoders skip what follows a wrong character, such as a second signature. */
const ENCODED = /^[A-Za-z0-9+/_-]+={0,2}$/;
const ENCODINGS = ['hex', 'base64', 'base64url'] as const;
