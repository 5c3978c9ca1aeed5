import { signBody } from '@sluice/signature/sign';
import { upsertBody } from './upsert-body.ts';

/** The target of the requests. */
export interface Aim {
  /** Requests go to these sources in round robin. */
  readonly targets: readonly { readonly path: string; readonly secret: string }[];
  /** Number of events that the upserts cycle through. Without it each upsert has a different event. */
  readonly events?: number;
  /** Number of the first request and the first event. Requests signed from another number have other events. */
  readonly from?: number;
  /** The headers that prove a request; by default those of Sluice. */
  readonly headersOf?: (signed: Signed) => Readonly<Record<string, string>>;
}

interface Signed {
  readonly secret: string;
  /** Seconds since 1970. */
  readonly timestamp: string;
  readonly body: Buffer;
}

const ourHeaders = (signed: Signed) => ({
  'X-Service-Timestamp': signed.timestamp,
  'X-Service-Signature': signBody(signed),
});

/** Yields complete HTTP requests, each different and signed on demand. */
export function createSigner({ targets, events, from = 0, headersOf = ourHeaders }: Aim): () => Buffer {
  let number = 0;
  return () => {
    const i = number++;
    const { path, secret } = targets[i % targets.length] as Aim['targets'][number];
    const timestamp = String(Math.floor(Date.now() / 1000));
    const event = from + (i % (events ?? Number.POSITIVE_INFINITY));
    // The number, as a price, makes each request different.
    const body = Buffer.from(upsertBody({ ...eventFields(event), price: String(from + i) }));
    const proof = Object.entries(headersOf({ secret, timestamp, body }));
    const head =
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n${proof.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
    return Buffer.concat([Buffer.from(head), body]);
  };
}

function eventFields(event: number) {
  return {
    title: `Open day ${event}`,
    starts_at: '2027-03-01T18:00:00+01:00',
    ends_at: '2027-03-01T20:00:00+01:00',
    location: 'Main Street 12, Ghent',
    url: 'https://example.com/open-day',
    recurring: 'weekly',
  };
}
