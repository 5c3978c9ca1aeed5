import { signBody } from '@sluice/signature/sign';
import { upsertBody } from './upsert-body.ts';

/** What requests are aimed at. */
export interface Aim {
  /** The sources to send to, in turn. */
  readonly targets: readonly { readonly path: string; readonly secret: string }[];
  /** Events that the upserts are about, in turn; without it each is about one of its own. */
  readonly events?: number;
  /** The number of the first request, and of the first event: what is signed from another number on shares none with it. */
  readonly from?: number;
}

/** Gives one whole HTTP request after the other, each unlike every other and signed when it is asked for. */
export function createSigner({ targets, events, from = 0 }: Aim): () => Buffer {
  let number = 0;
  return () => {
    const i = number++;
    const { path, secret } = targets[i % targets.length] as Aim['targets'][number];
    const timestamp = String(Math.floor(Date.now() / 1000));
    const event = from + (i % (events ?? Number.POSITIVE_INFINITY));
    // The number, as a price, makes it unlike every other.
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
