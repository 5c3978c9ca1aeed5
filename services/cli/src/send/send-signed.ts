import type { OutgoingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { SIGNATURE_HEADER, signBody, TIMESTAMP_HEADER } from '@sluice/signature/sign';
import { tryAgainLater, wrongUsage } from '../exit-codes.ts';
import { request } from '../http/request.ts';

export interface SignedRequest {
  readonly url: string;
  readonly secret: string;
  /** Unix time in seconds, as text for the header. */
  readonly timestamp: string;
  /** The exact bytes to sign and send. */
  readonly body: Uint8Array;
}

export interface EndpointResponse {
  readonly status: number;
  readonly statusText: string;
  readonly retryAfter: string | null;
  readonly body: string;
}

/** The endpoint responds within 1.5 s. The rest is for the network. */
const TIMEOUT_MS = 15_000;

/** Signs and sends one request (docs/sending-events.md). Follows no redirect. Throws "try again later" without a response. */
export async function sendSigned({ url, secret, timestamp, body }: SignedRequest): Promise<EndpointResponse> {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw wrongUsage(`--url: ${url} is not an http or https URL.`);
  }
  if (!/^\d+$/.test(timestamp)) throw wrongUsage(`--timestamp: ${timestamp} is not a Unix time in seconds.`);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'sluice-cli',
    [TIMESTAMP_HEADER]: timestamp,
    [SIGNATURE_HEADER]: signBody({ secret, timestamp, body }),
  };
  const endpoint = new URL(url);
  try {
    return await post(endpoint, headers, body);
  } catch (error) {
    const { message, code = 'unknown error' } = error as NodeJS.ErrnoException;
    // If no address of a name responds, the error has a code but no message.
    // Prints only origin and path, because the URL may contain a proxy's password and errors end up in logs.
    const { origin, pathname } = endpoint;
    throw tryAgainLater(`No response from ${origin}${pathname}: ${message || code}`, error);
  }
}

async function post(url: URL, headers: OutgoingHttpHeaders, body: Uint8Array): Promise<EndpointResponse> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const incoming = await request(url, { method: 'POST', headers, body, signal });
  const { statusCode = 0, statusMessage = '' } = incoming;
  const retryAfter = incoming.headers['retry-after'] ?? null;
  return { status: statusCode, statusText: statusMessage, retryAfter, body: await text(incoming) };
}
