import { signBody } from '@sluice/signature/sign';
import { writeRequests } from './requests-file.ts';

/** Signed upserts. Each request differs from all others. */
export interface Aim {
  readonly count: number;
  /** Requests go to these sources in round robin. */
  readonly targets: readonly { readonly path: string; readonly secret: string }[];
  /** Number of events that the upserts cycle through. Without it each upsert has a different event. */
  readonly events?: number;
  /** Number of the first request and the first event. Requests signed from another number have other events. */
  readonly from?: number;
  /** Default: upserts of Sluice. */
  readonly compose?: Compose | undefined;
}

/** A body and its headers. Each `number` makes another request; `event` says which event it is about. */
export type Compose = (
  secret: string,
  event: number,
  number: number,
) => { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer };

/**
 * Writes complete signed HTTP requests (requests-file.ts). Signing during the measurement would measure the signing. The requests
 * are valid for five minutes.
 */
export function presign({ file, ...aim }: Aim & { readonly file: string }): Promise<void> {
  return writeRequests(file, signedRequests(aim));
}

function* signedRequests({
  count,
  targets,
  events = count,
  from = 0,
  compose = ownUpsert,
}: Aim): Generator<Buffer> {
  for (let i = 0; i < count; i++) {
    const { path, secret } = targets[i % targets.length] as Aim['targets'][number];
    const { headers, body } = compose(secret, from + (i % events), from + i);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const head =
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
      `${lines.join('')}\r\n`;
    yield Buffer.concat([Buffer.from(head), body]);
  }
}

function ownUpsert(secret: string, event: number, number: number): ReturnType<Compose> {
  // The number, as a price, makes each request different.
  return signedUpsert(secret, upsertFields(event, String(number)));
}

/** An upsert of Sluice. */
export function signedUpsert(secret: string, event: object): ReturnType<Compose> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const body = paddedBody(event);
  return {
    headers: {
      'X-Service-Timestamp': timestamp,
      'X-Service-Signature': signBody({ secret, timestamp, body }),
    },
    body,
  };
}

/** Size of every body, as in the published figures. Bytes. */
const BODY_BYTES = 400;

export function upsertFields(event: number, price: string) {
  return {
    title: `Open day ${event}`,
    starts_at: '2027-03-01T18:00:00+01:00',
    ends_at: '2027-03-01T20:00:00+01:00',
    location: 'Main Street 12, Ghent',
    url: 'https://example.com/open-day',
    recurring: 'weekly',
    price,
  };
}

/** The body of an upsert, padded to exactly BODY_BYTES by its description. */
function paddedBody(fields: object): Buffer {
  const body = (description: string) =>
    JSON.stringify({ action: 'upsert', event: { ...fields, description } });
  return Buffer.from(body('x'.repeat(BODY_BYTES - body('').length)));
}
