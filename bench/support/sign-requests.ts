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
}

/** Yields complete HTTP requests, each different and signed on demand. */
export function createSigner({ targets, events, from = 0 }: Aim): () => Buffer {
  let number = 0;
  return () => {
    const i = number++;
    const { path, secret } = targets[i % targets.length] as Aim['targets'][number];
    const timestamp = String(Math.floor(Date.now() / 1000));
    const event = from + (i % (events ?? Number.POSITIVE_INFINITY));
    // The number, as a price, makes each request different.
    const body = Buffer.from(upsertBody({ ...eventFields(event), price: String(from + i) }));
    const signature = signBody({ secret, timestamp, body });
    const head =
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\nX-Service-Timestamp: ${timestamp}\r\nX-Service-Signature: ${signature}\r\n\r\n`;
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
