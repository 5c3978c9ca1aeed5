import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Profile } from '@sluice/signature/sender/profile';
import { signAs } from '@sluice/signature/sender/sign-as';
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
  /** Signs like another sender. Absent: by the scheme of Sluice. */
  readonly profile?: Profile | undefined;
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
export async function sendSigned(signed: SignedRequest): Promise<EndpointResponse> {
  const { url, timestamp, body } = signed;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw wrongUsage(`--url: ${url} is not an http or https URL.`);
  }
  if (!/^\d+$/.test(timestamp)) throw wrongUsage(`--timestamp: ${timestamp} is not a Unix time in seconds.`);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'sluice-cli',
    ...signatureOf(signed),
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

function signatureOf({ secret, timestamp, body, profile }: SignedRequest): Record<string, string> {
  if (profile === undefined)
    return { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signBody({ secret, timestamp, body }) };
  // The same body at the same time is the same message, so that a repetition has one effect.
  const id = `msg_${createHash('sha256').update(timestamp).update(body).digest('hex').slice(0, 24)}`;
  return signAs(profile, { secret, body, id, nowMs: Number(timestamp) * 1000 });
}

async function post(url: URL, headers: OutgoingHttpHeaders, body: Uint8Array): Promise<EndpointResponse> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const incoming = await request(url, { method: 'POST', headers, body, signal });
  const { statusCode = 0, statusMessage = '' } = incoming;
  const retryAfter = incoming.headers['retry-after'] ?? null;
  return { status: statusCode, statusText: statusMessage, retryAfter, body: await text(incoming) };
}
