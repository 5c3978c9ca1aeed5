import type { IncomingHttpHeaders } from 'node:http';
import { signBody } from '@sluice/signature/sign';

const MAX_AGE_SECONDS = 300;

/** Returns whether a request is signed as docs/sending-events.md asks. */
export function verify(headers: IncomingHttpHeaders, body: Buffer, secret: string): boolean {
  const timestamp = String(headers['x-service-timestamp']);
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  return (
    headers['content-type'] === 'application/json' &&
    /^\d+$/.test(timestamp) &&
    age < MAX_AGE_SECONDS &&
    headers['x-service-signature'] === signBody({ secret, timestamp, body })
  );
}
