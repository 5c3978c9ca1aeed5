import { signBody } from '@sluice/signature/sign';
import type { TestSource } from '../../support/ingress.ts';
import { signed, upsertBody } from '../../support/signed.ts';
import { rawRequest } from './floods-attack.ts';

/** The bytes of a request that should be rejected, or that is at least unusual. */
export interface BadRequest {
  readonly kind: string;
  readonly bytes: Buffer;
  /** Its signature is wrong for its body, so it must never be accepted. */
  readonly forged: boolean;
  /** Its HTTP may announce more than it sends, so there may be no response. */
  readonly unanswerable?: boolean;
}

type Random = () => number;
type Make = (random: Random, source: Pick<TestSource, 'path' | 'secret'>) => BadRequest;

const CLOSE = { connection: 'close' };
const TYPES = ['text/plain', 'application/jsonp', '', 'json', 'multipart/form-data'];
const METHODS = ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'post'];
const TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '__proto__',
  'constructor',
  '$where',
  'a.b',
  '\u202e',
  '{"$gt":""}',
];
const FIELDS = [
  'title',
  'starts_at',
  'ends_at',
  'location',
  'url',
  'price',
  'recurring',
  'status',
  '__proto__',
  '$set',
  'a.b',
];

/** All kinds are equally likely. */
const KINDS: readonly Make[] = [
  function otherSignature(random, source) {
    const { body, headers } = good(source);
    const right = headers['x-service-signature'] as string;
    const wrong = pick(random, [
      right.slice(0, Math.floor(random() * right.length)),
      right + pick(random, ['0', ' ff', ',', 'x'.repeat(5000)]),
      right.slice(7),
      mutatedText(random, right),
      `sha256=${'0'.repeat(64)}`,
      signBody({
        secret: mutatedText(random, source.secret),
        timestamp: headers['x-service-timestamp'] as string,
        body,
      }),
      signBody({ secret: source.secret, timestamp: '1', body }),
    ]);
    return request('another signature', true, source, { ...headers, 'x-service-signature': wrong }, body);
  },
  function otherTimestamp(random, source) {
    const { body, headers } = good(source);
    const right = headers['x-service-timestamp'] as string;
    const wrong = pick(random, [
      mutatedText(random, right),
      `${right}0`,
      '9'.repeat(400),
      '-1',
      'NaN',
      '1e9',
      '',
    ]);
    return request('another timestamp', true, source, { ...headers, 'x-service-timestamp': wrong }, body);
  },
  function expired(random, source) {
    const timestamp = Math.floor(Date.now() / 1000 + (random() < 0.5 ? -1 : 1) * (400 + random() * 1e9));
    const { body, headers } = signed({ secret: source.secret, body: upsertBody(), timestamp });
    return request('an expired timestamp, rightly signed', true, source, headers, body);
  },
  function otherBody(random, source) {
    const { body, headers } = good(source);
    return request('a body changed after it was signed', true, source, headers, mutated(random, body));
  },
  function otherShape(random, source) {
    const { body, headers } = signed({ secret: source.secret, body: JSON.stringify(anyJson(random, 0)) });
    return request('signed JSON of any shape', false, source, headers, body);
  },
  function otherEvent(random, source) {
    const event: [string, unknown][] = FIELDS.filter(() => random() < 0.15).map((field) => [
      field,
      anyJson(random, 2),
    ]);
    const starts_at = random() < 0.7 ? '2027-03-01T10:00:00Z' : anyJson(random, 2);
    const all = Object.fromEntries([['title', 'x'], ['starts_at', starts_at], ...event]);
    const action = random() < 0.9 ? pick(random, ['upsert', 'cancel', 'delete']) : anyJson(random, 2);
    const { body, headers } = signed({ secret: source.secret, body: { action, event: all } });
    return request('signed events with any fields', false, source, headers, body);
  },
  function otherBytes(random, source) {
    const bytes = mutated(random, good(source).body);
    const { body, headers } = signed({ secret: source.secret, body: bytes });
    return request('signed bytes of any kind', false, source, headers, body);
  },
  function otherHeaders(random, source) {
    const { body, headers } = good(source);
    const { 'x-service-signature': _, ...unsigned } = headers;
    const [kind, changed] = pick<[string, Record<string, string>]>(random, [
      ['no signature', unsigned],
      ['another type', { ...headers, 'content-type': pick(random, TYPES) }],
      [
        'a compressed body',
        { ...headers, 'content-encoding': pick(random, ['gzip', 'br', 'deflate, gzip', 'x']) },
      ],
      ['two signatures', { ...headers, 'X-Service-Signature': `sha256=${'0'.repeat(64)}` }],
    ]);
    return request(kind, true, source, changed, body);
  },
  function otherMethod(random, source) {
    const { body, headers } = good(source);
    const bytes = whole(source, headers, body).toString('latin1').replace('POST', pick(random, METHODS));
    return { kind: 'another method', bytes: Buffer.from(bytes, 'latin1'), forged: true };
  },
  function otherHttp(random, source) {
    const { body, headers } = good(source);
    const bytes = mutated(random, whole(source, headers, body));
    return { kind: 'any bytes instead of HTTP', bytes, forged: false, unanswerable: true };
  },
];

/** The next bad request. The same state of `random` gives the same request, except for ids, time and signature. */
export function badRequest(random: Random, source: Pick<TestSource, 'path' | 'secret'>): BadRequest {
  return pick(random, KINDS)(random, source);
}

function good({ secret }: Pick<TestSource, 'secret'>) {
  return signed({ secret, body: upsertBody() });
}

function whole(
  { path }: Pick<TestSource, 'path'>,
  headers: Record<string, string>,
  body: Uint8Array,
): Buffer {
  return rawRequest(path, { ...headers, ...CLOSE, 'content-length': body.length }, body);
}

function request(
  kind: string,
  forged: boolean,
  source: Pick<TestSource, 'path'>,
  headers: Record<string, string>,
  body: Uint8Array,
): BadRequest {
  return { kind, forged, bytes: whole(source, headers, body) };
}

function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T;
}

/** The same bytes with at least one changed. */
function mutated(random: Random, bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  for (let left = 1 + Math.floor(random() * 4); left > 0; left--) {
    const at = Math.floor(random() * changed.length);
    changed[at] = (bytes[at] as number) + 1 + Math.floor(random() * 255);
  }
  return changed;
}

/** The same text with one printable character changed. */
function mutatedText(random: Random, text: string): string {
  const at = Math.floor(random() * text.length);
  const other = 0x21 + ((text.charCodeAt(at) - 0x21 + 1 + Math.floor(random() * 93)) % 94);
  return text.slice(0, at) + String.fromCharCode(other) + text.slice(at + 1);
}

function anyJson(random: Random, depth: number): unknown {
  const kind = random();
  if (depth > 4 || kind < 0.5)
    return pick(random, [...TEXTS, null, true, 0, -1, 1e308, 2 ** 53, 'x'.repeat(1000)]);
  const some = Array.from({ length: Math.floor(random() * 4) }, () => anyJson(random, depth + 1));
  if (kind < 0.7) return some;
  return Object.fromEntries(
    some.map((value) => [pick(random, [...FIELDS, ...TEXTS, 'action', 'event']), value]),
  );
}
