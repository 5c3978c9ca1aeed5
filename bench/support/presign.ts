import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { signatureDigest, signingKey } from '@sluice/signature/sign';

export interface PresignSettings {
  readonly file: string;
  readonly count: number;
  /** The sources to send to, in turn. */
  readonly targets: readonly { readonly path: string; readonly secret: string }[];
  /** Events that the upserts are about; by default each is about one of its own. */
  readonly events?: number;
}

/** Bytes of every body: what the published figures were measured with. */
const BODY_BYTES = 400;

/**
 * Writes whole HTTP requests, signed now, each with its length (8 digits) before it. Signing while measuring would
 * measure the signing. They are good for five minutes.
 */
export async function presign({ file, count, targets, events = count }: PresignSettings): Promise<void> {
  const keys = targets.map(({ secret }) => signingKey(secret));
  const timestamp = String(Math.floor(Date.now() / 1000));
  const stream = createWriteStream(file);
  for (let i = 0; i < count; i++) {
    const target = i % targets.length;
    const body = bodyOf(i, i % events);
    const signature = signatureDigest(
      keys[target] as ReturnType<typeof signingKey>,
      timestamp,
      body,
    ).toString('hex');
    const request = Buffer.concat([
      Buffer.from(
        `POST ${targets[target]?.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
          `X-Service-Timestamp: ${timestamp}\r\nX-Service-Signature: sha256=${signature}\r\n\r\n`,
      ),
      body,
    ]);
    const framed = Buffer.concat([Buffer.from(String(request.length).padStart(8, '0')), request]);
    if (!stream.write(framed)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
}

/** An upsert of exactly BODY_BYTES. `number` makes it unlike every other, `event` says which event it is about. */
export function bodyOf(number: number, event: number): Buffer {
  const body = {
    action: 'upsert',
    event: {
      title: `Open day ${event}`,
      starts_at: '2027-03-01T18:00:00+01:00',
      ends_at: '2027-03-01T20:00:00+01:00',
      location: 'Main Street 12, Ghent',
      url: 'https://example.com/open-day',
      price: String(number),
      recurring: 'weekly',
      description: '',
    },
  };
  const missing = BODY_BYTES - JSON.stringify(body).length;
  return Buffer.from(JSON.stringify({ ...body, event: { ...body.event, description: 'x'.repeat(missing) } }));
}
