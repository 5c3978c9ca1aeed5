import type { LookupAddress } from 'node:dns';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import {
  type AllowedAddresses,
  type AllowedAddressesSettings,
  allowedAddresses,
} from '@sluice/egress/allowed-addresses';
import { NameServersAwayError } from '@sluice/egress/name-servers';

/** The result of one request. */
export type GetResult =
  /** `charset`: as the response names it. */
  | { readonly outcome: 'body'; readonly bytes: Buffer; readonly charset?: string }
  | { readonly outcome: 'redirected'; readonly location: string }
  | { readonly outcome: 'status'; readonly status: number }
  | {
      readonly outcome:
        | 'forbidden_address'
        | 'unknown_host'
        | 'bad_certificate'
        | 'unknown_issuer'
        | 'encoded'
        | 'damaged'
        | 'too_large'
        | 'timeout'
        | 'failed';
    };

export interface GetSettings extends AllowedAddressesSettings {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

const HEADERS = {
  accept: 'text/calendar, */*;q=0.1',
  'accept-encoding': 'identity',
  'user-agent': 'Sluice calendar import',
};

/** One GET to an address that the policy allows. Follows no redirect, and never rejects. */
export async function get(url: URL, settings: GetSettings): Promise<GetResult> {
  const { signal } = settings;
  const found = await addressesOf(url, settings);
  if (signal.aborted) return { outcome: 'timeout' };
  if (found.outcome !== 'allowed') return found;
  try {
    return await readAnswer(await send(url, found.addresses, signal), settings.maxBytes);
  } catch (error) {
    return { outcome: signal.aborted ? 'timeout' : outcomeOf(error) };
  }
}

function outcomeOf(error: unknown): 'damaged' | 'bad_certificate' | 'unknown_issuer' | 'failed' {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (OF_ZLIB.test(code)) return 'damaged';
  if (OF_AN_ISSUER.test(code)) return 'unknown_issuer';
  return OF_A_CERTIFICATE.test(code) ? 'bad_certificate' : 'failed';
}

/** Errors of zlib have names such as Z_DATA_ERROR, those of Brotli ERR__ERROR_FORMAT_PADDING_1. */
const OF_ZLIB = /^(?:Z_|ERR_(?:BROTLI)?_)/;
/** The server omits the certificate of the issuer, or the issuer is an unknown authority. */
const OF_AN_ISSUER = /^UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/;
const OF_A_CERTIFICATE = /^(?:ERR_TLS_CERT_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

async function addressesOf(
  { hostname }: URL,
  settings: GetSettings,
): Promise<AllowedAddresses | { readonly outcome: 'timeout' }> {
  try {
    return await Promise.race([allowedAddresses(hostname, settings), aborted(settings.signal)]);
  } catch (error) {
    return { outcome: error instanceof NameServersAwayError ? 'timeout' : 'unknown_host' };
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

function send(url: URL, addresses: readonly LookupAddress[], signal: AbortSignal): Promise<IncomingMessage> {
  // Connects to the address that was checked: the name is not resolved a second time.
  const lookup: LookupFunction = (_hostname, options, callback) => {
    const [first] = addresses as [LookupAddress];
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
  // `agent: false`: no connection that was made before, to whatever address, is used again.
  const options = { method: 'GET', headers: HEADERS, agent: false, lookup, signal } as const;
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, options, resolve);
    request.on('error', reject);
    request.end();
  });
}

async function readAnswer(answer: IncomingMessage, maxBytes: number): Promise<GetResult> {
  const { statusCode: status = 0, headers } = answer;
  const result = resultOfHead(status, headers, maxBytes);
  if (result !== undefined) {
    answer.destroy();
    return result;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of unpacked(answer) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Leaving the loop destroys the answer, and its connection with it.
    if (bytes > maxBytes) return { outcome: 'too_large' };
    chunks.push(chunk);
  }
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1];
  return { outcome: 'body', bytes: Buffer.concat(chunks), ...(charset !== undefined && { charset }) };
}

/**
 * Some servers compress whatever was asked for (RFC 9110, section 12.5.3, allows it). The limit applies to the unpacked bytes.
 */
const UNPACK = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const;

type Packing = keyof typeof UNPACK;

function isPacking(encoding: string): encoding is Packing {
  return Object.hasOwn(UNPACK, encoding);
}

function encodingOf({ 'content-encoding': encoding = '' }: IncomingMessage['headers']): string {
  return encoding.trim().toLowerCase();
}

function unpacked(answer: IncomingMessage): Readable {
  const encoding = encodingOf(answer.headers);
  // The error of either end ends the reading of the other, which the loop above sees.
  return isPacking(encoding) ? pipeline(answer, UNPACK[encoding](), () => undefined) : answer;
}

const REDIRECTS = [301, 302, 303, 307, 308];

/** undefined: the body is worth reading. */
function resultOfHead(
  status: number,
  headers: IncomingMessage['headers'],
  maxBytes: number,
): GetResult | undefined {
  const { location, 'content-length': length = '0' } = headers;
  const encoding = encodingOf(headers);
  if (REDIRECTS.includes(status) && location !== undefined) return { outcome: 'redirected', location };
  if (status !== 200) return { outcome: 'status', status };
  if (encoding !== '' && encoding !== 'identity' && !isPacking(encoding)) return { outcome: 'encoded' };
  return Number(length) > maxBytes ? { outcome: 'too_large' } : undefined;
}
