import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { SIGNATURE_HEADER, signBody, TIMESTAMP_HEADER } from '@sluice/signature/sign';
import { tryAgainLater, wrongUsage } from '../exit-codes.ts';

export interface SignedRequest {
  readonly url: string;
  readonly secret: string;
  /** Unix time in seconds, as it goes into the header. */
  readonly timestamp: string;
  /** The exact bytes to sign and send. */
  readonly body: Uint8Array;
}

export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly retryAfter: string | null;
  readonly body: string;
}

/** The endpoint answers within 1.5 s; whatever takes longer is the way there. */
const TIMEOUT_MS = 15_000;

/** Signs and sends one request (service.md 4.1), following no redirect. No answer is thrown as "try again later". */
export async function sendSigned({ url, secret, timestamp, body }: SignedRequest): Promise<Answer> {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw wrongUsage(`--url: ${url} is not an http or https URL.`);
  }
  if (!/^\d+$/.test(timestamp)) throw wrongUsage(`--timestamp: ${timestamp} is not a number of seconds.`);
  const headers = {
    'content-type': 'application/json',
    'content-length': body.byteLength,
    'user-agent': 'sluice-cli',
    [TIMESTAMP_HEADER]: timestamp,
    [SIGNATURE_HEADER]: signBody({ secret, timestamp, body }),
  };
  const endpoint = new URL(url);
  try {
    return await post(endpoint, headers, body);
  } catch (error) {
    const { message, code = 'unknown error' } = error as NodeJS.ErrnoException;
    // Where a name has several addresses and none answers, there is a code but no message.
    // A proxy's user and password may stand in the URL, and errors in the log of whatever runs this.
    const { origin, pathname } = endpoint;
    throw tryAgainLater(`No answer from ${origin}${pathname}: ${message || code}`, error);
  }
}

/** Not fetch(): that refuses ports which browsers keep away from, and an endpoint may well have one of them. */
async function post(url: URL, headers: OutgoingHttpHeaders, body: Uint8Array): Promise<Answer> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  // Without an agent the connection is not kept for a next request, and the process can end.
  const outgoing = request(url, { method: 'POST', headers, agent: false, signal }).end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const { statusCode = 0, statusMessage = '' } = incoming;
  const retryAfter = incoming.headers['retry-after'] ?? null;
  return { status: statusCode, statusText: statusMessage, retryAfter, body: await text(incoming) };
}
