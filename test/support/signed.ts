import { signBody } from '@sluice/signature/sign';

export interface SignedInput {
  readonly secret: string;
  readonly body: string | Uint8Array | object;
  /** Unix time in seconds. Default: now. */
  readonly timestamp?: number | string;
}

export interface SignedRequest {
  readonly body: Buffer;
  readonly headers: Record<string, string>;
}

/** The bytes and headers of a signed request. Every test that signs a request uses it. */
export function signed({
  secret,
  body,
  timestamp = Math.floor(Date.now() / 1000),
}: SignedInput): SignedRequest {
  const bytes =
    typeof body === 'string' || body instanceof Uint8Array
      ? Buffer.from(body as string)
      : Buffer.from(JSON.stringify(body));
  const headers = {
    'content-type': 'application/json',
    'x-service-timestamp': String(timestamp),
    'x-service-signature': signBody({ secret, timestamp: String(timestamp), body: bytes }),
  };
  return { body: bytes, headers };
}

let titles = 0;

/** The body of an upsert, for a unique event unless a title is given. */
export function upsertBody(event: Record<string, unknown> = {}) {
  titles += 1;
  return {
    action: 'upsert',
    event: { title: `Event ${titles}`, starts_at: '2027-03-01T10:00:00Z', ...event },
  };
}
