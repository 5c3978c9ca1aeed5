import { text as readText } from 'node:stream/consumers';
import { versionOfSluice } from '@sluice/runtime/version';
import { failed, tryAgainLater } from '../exit-codes.ts';
import { jsonOrText } from '../http/json-or-text.ts';
import { request } from '../http/request.ts';
import type { ApiAccess } from './api-access.ts';

export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the base URL, without a slash at the start. */
  readonly path: string;
  readonly body?: object;
  /** Milliseconds. Default: 15,000. */
  readonly timeoutMs?: number;
}

/** A response, whatever its status. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The parsed JSON; the text of a body that is not JSON; undefined without one. */
  readonly body: unknown;
}

/** Calls the public API. Resolves to a success; throws a sentence for the user for everything else. */
export type CallApi = (call: ApiCall) => Promise<ApiResponse>;

const TIMEOUT_MS = 15_000;
export const USER_AGENT = `sluice-cli/${versionOfSluice()}`;

export function createCallApi(access: ApiAccess): CallApi {
  return async (call) => {
    const response = await askApi(access, call);
    if (response.status >= 200 && response.status < 300) return response;
    throw refusalOf(access.url, response);
  };
}

/** Sends one request. Follows no redirect. Throws "try again later" without a response. */
export async function askApi(access: ApiAccess, call: ApiCall): Promise<ApiResponse> {
  const { method, path, body, timeoutMs = TIMEOUT_MS } = call;
  const url = new URL(path, access.url);
  try {
    const response = await request(url, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      headers: headersOf(access, body !== undefined),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await readText(response);
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: text === '' ? undefined : jsonOrText(text),
    };
  } catch (error) {
    throw noResponse(url, error);
  }
}

export function headersOf({ key }: Pick<ApiAccess, 'key'>, hasBody: boolean): Record<string, string> {
  return {
    accept: 'application/json',
    authorization: `Bearer ${key}`,
    'user-agent': USER_AGENT,
    ...(hasBody && { 'content-type': 'application/json' }),
  };
}

/** Names origin and path only, because a URL may contain a password. */
export function noResponse({ origin, pathname }: URL, error: unknown) {
  const { message, code = 'unknown error' } = error as NodeJS.ErrnoException;
  return tryAgainLater(`No response from ${origin}${pathname}: ${message || code}`, error);
}

/** A rejection as an error for the user: the sentence of the API, and what else it names. */
export function refusalOf(url: URL, { status, body }: ApiResponse) {
  const problem = (typeof body === 'object' && body !== null ? body : {}) as Problem;
  const sentence =
    problem.detail ?? `${url.origin} responded ${status}, and not as Sluice does. Is it the API server?`;
  // The sentence names the first fields itself.
  const fields = (problem.errors ?? [])
    .filter(({ detail }) => !sentence.includes(detail))
    .map(({ pointer, detail }) => `\n${pointer}: ${detail}`)
    .join('');
  return (status === 429 || status >= 500 ? tryAgainLater : failed)(`${sentence}${fields}`);
}

interface Problem {
  readonly detail?: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}
