import { type SignedRequest, signed, upsertBody } from '../../support/signed.ts';
import type { TestSource } from './source.ts';

/** A request that is rejected, its response, and the text of its Why tab. */
export interface RefusedRequest {
  readonly name: string;
  readonly status: number;
  readonly code: string;
  readonly why: RegExp;
  readonly request: (source: TestSource) => Partial<SignedRequest> & { readonly method?: string };
}

const now = () => Math.floor(Date.now() / 1000);

/** A valid request with changed headers. */
function withHeaders(change: (headers: Record<string, string>) => Record<string, string>) {
  return ({ secret }: TestSource) => {
    const right = signed({ secret, body: upsertBody() });
    return { ...right, headers: change(right.headers) };
  };
}

function withTimestamp(timestamp: () => number | string) {
  return ({ secret }: TestSource) => signed({ secret, body: upsertBody(), timestamp: timestamp() });
}

function withBody(body: string | object) {
  return ({ secret }: TestSource) => signed({ secret, body });
}

function withSignature(change: (signature: string) => string) {
  return withHeaders(({ 'x-service-signature': right = '', ...rest }) => ({
    ...rest,
    'x-service-signature': change(right),
  }));
}

/** Every rejection of an active source within its rate and plan, in the order of the checks. */
export const REFUSED: readonly RefusedRequest[] = [
  {
    name: 'another method',
    status: 405,
    code: 'method_not_allowed',
    why: /POST/,
    request: () => ({ method: 'PUT' }),
  },
  {
    name: 'another content type',
    status: 415,
    code: 'unsupported_media_type',
    why: /application\/json/,
    request: withHeaders((headers) => ({ ...headers, 'content-type': 'text/plain' })),
  },
  {
    name: 'a body that is too large',
    status: 413,
    code: 'payload_too_large',
    why: /256 KiB/,
    request: withBody(JSON.stringify(upsertBody({ description: 'x'.repeat(300_000) }))),
  },
  {
    name: 'no signature',
    status: 401,
    code: 'signature_missing',
    why: /X-Service-Signature is missing/,
    request: withHeaders(({ 'x-service-signature': _, ...rest }) => rest),
  },
  {
    name: 'no timestamp',
    status: 400,
    code: 'timestamp_invalid',
    why: /X-Service-Timestamp is missing/,
    request: withHeaders(({ 'x-service-timestamp': _, ...rest }) => rest),
  },
  {
    name: 'a timestamp in words',
    status: 400,
    code: 'timestamp_invalid',
    why: /not a decimal number of seconds/,
    request: withTimestamp(() => new Date().toISOString()),
  },
  {
    name: 'a timestamp in milliseconds',
    status: 400,
    code: 'timestamp_expired',
    why: /looks like milliseconds. Send Unix time in seconds/,
    request: withTimestamp(() => Date.now()),
  },
  {
    name: 'a timestamp that is too old',
    status: 400,
    code: 'timestamp_expired',
    why: /4\d\d seconds old; at most 300/,
    request: withTimestamp(() => now() - 412),
  },
  {
    name: 'a timestamp that is ahead',
    status: 400,
    code: 'timestamp_expired',
    why: /[34]\d\d seconds ahead; at most 300/,
    request: withTimestamp(() => now() + 412),
  },
  {
    name: 'a signature without its prefix',
    status: 401,
    code: 'signature_invalid',
    why: /does not begin with sha256=/,
    request: withSignature((right) => right.slice('sha256='.length)),
  },
  {
    name: 'a signature in capitals',
    status: 401,
    code: 'signature_invalid',
    why: /upper-case/,
    request: withSignature((right) => `sha256=${right.slice('sha256='.length).toUpperCase()}`),
  },
  {
    name: 'a signature that is cut short',
    status: 401,
    code: 'signature_invalid',
    why: /60 characters after sha256=, not the 64/,
    request: withSignature((right) => right.slice(0, -4)),
  },
  {
    name: 'the signature of another secret',
    status: 401,
    code: 'signature_invalid',
    why: /does not match.*current signing secret/,
    request: () => signed({ secret: 'whsec_another', body: upsertBody() }),
  },
  {
    name: 'broken JSON',
    status: 400,
    code: 'malformed_json',
    why: /line 2/,
    request: withBody('{"action": "upsert",\n "event": }'),
  },
  {
    name: 'no title',
    status: 400,
    code: 'validation_failed',
    why: /\/event\/title/,
    request: withBody({ action: 'upsert', event: { starts_at: '2027-03-01T10:00:00Z' } }),
  },
  {
    name: 'a date that does not exist',
    status: 400,
    code: 'validation_failed',
    why: /\/event\/starts_at.*2026-12-01T18:00:00\+01:00/,
    request: withBody(upsertBody({ starts_at: '2027-02-30T10:00:00Z' })),
  },
];
