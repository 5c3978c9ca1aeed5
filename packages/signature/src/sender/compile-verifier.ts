import { isUtf8 } from 'node:buffer';
import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { pick } from './pointer.ts';
import type { HmacProfile, Profile } from './profile.ts';
import { readTime } from './sender-time.ts';
import { describeForm, pairIn, signaturesIn } from './signatures-in.ts';

/** The headers of a request. */
export interface SenderHeaders {
  /** Node's form: names in lower case. */
  readonly values: Readonly<Record<string, string | string[] | undefined>>;
  /** Whether a header was sent on more than one line. Node joins them, so the value does not show it. */
  readonly isRepeated: (name: string) => boolean;
}

/** The verdict on a request to a source with a profile. */
export type SenderVerdict =
  | {
      readonly outcome: 'verified';
      /** Hex that identifies what was signed, however the sender encoded it: the HMAC, or the hash of an unsigned body. */
      readonly digest: string;
      /** The time of the sender, and the largest accepted distance of it. Absent: it sends none. */
      readonly time?: { readonly seconds: number; readonly tolerance: number };
      /** The sender's id of this message. Absent: it sends none. */
      readonly id?: string;
    }
  | {
      readonly outcome: 'signature_missing' | 'timestamp_invalid' | 'timestamp_expired' | 'signature_invalid';
      readonly detail: string;
    };

/** Verifies a request. Pure. `key` is the `senderKey` of the secret, `nowMs` milliseconds since the Unix epoch. */
export type Verifier = (
  headers: SenderHeaders,
  bytes: Uint8Array,
  key: KeyObject,
  nowMs: number,
) => SenderVerdict;

/** The verifier of a profile. Compile it once for each cached source. */
export function compileVerifier(profile: Profile): Verifier {
  switch (profile.kind) {
    case 'hmac':
      return hmacVerifier(profile);
    case 'token':
      return credentialVerifier(profile, profile.header, (key) => {
        const scheme = profile.scheme === undefined ? '' : `${profile.scheme} `;
        return { scheme, credential: key.export() };
      });
    case 'basic':
      return credentialVerifier(profile, ['Authorization'], (key) => {
        const credential = Buffer.concat([Buffer.from(`${profile.user}:`), key.export()]);
        return { scheme: 'Basic ', credential: Buffer.from(credential.toString('base64')) };
      });
  }
}

type Faulty = Exclude<SenderVerdict, { outcome: 'verified' }>;
type Header =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly fault: Faulty };

/** Reads the first of the names that is present. A repeated header is a fault: two readers could read it differently. */
export function headerReader(names: readonly string[], missing: Faulty['outcome']) {
  const known = names.map((name) => ({ name, key: name.toLowerCase() }));
  const [first] = known as [(typeof known)[number]];
  return ({ values, isRepeated }: SenderHeaders): Header => {
    const { name, key } = known.find((one) => values[one.key] !== undefined) ?? first;
    const value = values[key];
    if (isRepeated(key) || Array.isArray(value))
      return {
        name,
        fault: { outcome: 'signature_invalid', detail: `The header ${name} is sent twice. Send it once.` },
      };
    if (typeof value !== 'string' || value === '')
      return { name, fault: { outcome: missing, detail: `The header ${name} is missing.` } };
    return { name, value };
  };
}

function hmacVerifier(profile: HmacProfile): Verifier {
  const { time, id } = profile;
  const signature = headerReader(profile.header, 'signature_missing');
  const timeHeader = time?.from === 'header' ? headerReader(time.header, 'timestamp_invalid') : undefined;
  const idHeader = id?.from === 'header' ? headerReader(id.header, 'signature_missing') : undefined;
  const inBody = bodyReader(profile);

  return (headers, bytes, key, nowMs) => {
    const signed = signature(headers);
    if ('fault' in signed) return signed.fault;
    let timeText = '';
    let seconds: number | undefined;
    if (time !== undefined && time.from !== 'body') {
      const sent = timeHeader?.(headers);
      if (sent !== undefined && 'fault' in sent) return sent.fault;
      const text = time.from === 'pair' ? pairIn(signed.value, profile, time.name) : sent?.value;
      const place = time.from === 'pair' ? `${time.name} of ${signed.name}` : (sent?.name ?? '');
      const read = readTime(time, text, place, nowMs);
      if (read.outcome !== 'seconds') return read;
      timeText = text ?? '';
      seconds = read.seconds;
    }
    const sentId = idHeader?.(headers);
    if (sentId !== undefined && 'fault' in sentId) return sentId.fault;
    const hmac = createHmac(profile.algorithm, key);
    for (const part of profile.signed) hmac.update(partOf(part, timeText, sentId?.value ?? '', bytes));
    const digest = hmac.digest();
    const fault = compare(profile, signed, digest);
    if (fault !== undefined) return fault;
    const body = inBody(bytes, nowMs);
    if ('outcome' in body) return body;
    seconds ??= body.seconds;
    const found = sentId?.value ?? body.id;
    return {
      outcome: 'verified',
      digest: digest.toString('hex'),
      ...(seconds !== undefined && { time: { seconds, tolerance: time?.tolerance ?? 0 } }),
      ...(found !== undefined && { id: found }),
    };
  };
}

/** A part of what the HMAC covers. */
export function partOf(part: string, time: string, id: string, bytes: Uint8Array): string | Uint8Array {
  switch (part) {
    case '{body}':
      return bytes;
    case '{time}':
      return time;
    case '{id}':
      return id;
    default:
      return part;
  }
}

/** Compares every signature of the header, in the same time wherever one differs. */
function compare(
  profile: HmacProfile,
  { name, value }: { readonly name: string; readonly value: string },
  digest: Buffer,
): Faulty | undefined {
  const decoded = signaturesIn(value, profile).flatMap(
    (text) => decode(profile.encoding, text, digest.length) ?? [],
  );
  if (value === NO_SECRET)
    return invalid(
      `${name} is ${NO_SECRET}: the webhook has no secret in the sender. Enter that of this source.`,
    );
  if (decoded.length === 0) return invalid(`${name} is not ${describeForm(profile)}.`);
  if (decoded.filter((one) => timingSafeEqual(one, digest)).length > 0) return undefined;
  return invalid(
    `${name} does not match this body and secret. Compare the secret with that of the sender. ` +
      'A proxy must not change the body.',
  );
}

/** What Cal.com sends in place of a signature. */
const NO_SECRET = 'no-secret-provided';

const invalid = (detail: string): Faulty => ({ outcome: 'signature_invalid', detail });

/** The bytes of an encoded digest of this length; undefined if it has another form. Node's decoders skip wrong characters. */
function decode(encoding: HmacProfile['encoding'], text: string, length: number): Buffer | undefined {
  if (!ENCODED[encoding].test(text)) return undefined;
  const bytes = Buffer.from(text, encoding);
  return bytes.length === length ? bytes : undefined;
}

const ENCODED = {
  hex: /^[0-9a-fA-F]+$/,
  base64: /^[A-Za-z0-9+/]+={0,2}$/,
  base64url: /^[A-Za-z0-9_-]+={0,2}$/,
} as const;

/** Verifies a token or a password: only the transport protects the body. */
function credentialVerifier(
  profile: Exclude<Profile, HmacProfile>,
  names: readonly string[],
  expectedOf: (key: KeyObject) => { readonly scheme: string; readonly credential: Uint8Array },
): Verifier {
  const credentials = headerReader(names, 'signature_missing');
  const inBody = bodyReader(profile);
  return (headers, bytes, key, nowMs) => {
    const sent = credentials(headers);
    if ('fault' in sent) return sent.fault;
    const { scheme, credential } = expectedOf(key);
    // The name of a scheme has no case (RFC 9110, section 11.1).
    if (sent.value.slice(0, scheme.length).toLowerCase() !== scheme.toLowerCase())
      return invalid(`${sent.name} does not begin with ${scheme.trim()}.`);
    const found = sent.value.slice(scheme.length).trim();
    if (!timingSafeEqual(sha256(Buffer.from(found, 'latin1')), sha256(credential)))
      return invalid(`${sent.name} has another secret than this source.`);
    const body = inBody(bytes, nowMs);
    if ('outcome' in body) return body;
    return {
      outcome: 'verified',
      digest: sha256(bytes).toString('hex'),
      ...(body.id !== undefined && { id: body.id }),
    };
  };
}

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

const MAX_ID_LENGTH = 200;

/** Reads what the body says of itself. It is called behind the signature check: unsigned bodies are not parsed. */
function bodyReader(profile: Profile) {
  const time = profile.kind === 'hmac' && profile.time?.from === 'body' ? profile.time : undefined;
  const id = profile.id?.from === 'body' ? profile.id : undefined;
  if (time === undefined && id === undefined) return () => NOTHING;
  return (bytes: Uint8Array, nowMs: number): InBody => {
    const body = parsed(bytes);
    const found = id && pick(body, id.at);
    const text = typeof found === 'number' ? String(found) : found;
    const known =
      typeof text === 'string' && text !== '' && text.length <= MAX_ID_LENGTH ? { id: text } : NOTHING;
    if (time === undefined) return known;
    const read = readTime(time, pick(body, time.at), `The time at ${time.at} of the body`, nowMs);
    return read.outcome === 'seconds' ? { ...known, seconds: read.seconds } : read;
  };
}

type InBody = Faulty | { readonly id?: string; readonly seconds?: number };
const NOTHING: { readonly id?: string; readonly seconds?: number } = {};

/** Undefined if it is not JSON. The check of the body explains that. */
function parsed(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) return undefined;
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}
