import createFetch, { type Client, defaultPathSerializer } from 'openapi-fetch';
import { keepEtag } from './etag.ts';
import { expectAnswer } from './expect-answer.ts';
import type { paths } from './generated/api.ts';
import { expectHttpUrl } from './http-url.ts';
import type { ClientOptions, PostOptions } from './options.ts';
import { problemOf } from './problem.ts';
import { serializeQuery } from './query.ts';
import { sendWithRetries } from './retry.ts';

/** Typed calls by path, as openapi-fetch makes them from the types of the API. They have the retries of the client. */
export type Http = Client<paths, `${string}/${string}`>;

export function createHttp(options: ClientOptions): Http {
  const { baseUrl, apiKey, timeoutMs = 30_000, retry = {} } = options;
  expectHttpUrl('baseUrl', baseUrl, 'https://sluice.example.com');
  if (typeof apiKey !== 'string' || apiKey.trim() === '')
    throw new TypeError('apiKey is empty. Is the variable set that it is read from?');
  const fetch = options.fetch ?? ((request: Request) => globalThis.fetch(request));
  return createFetch<paths>({
    baseUrl,
    querySerializer: serializeQuery,
    pathSerializer: serializePath,
    headers: { 'User-Agent': `sluice-sdk/${VERSION}`, ...options.headers, Authorization: `Bearer ${apiKey}` },
    fetch: async (request: Request) => {
      const response = await sendWithRetries(keyed(request), { fetch, timeoutMs, retry });
      return expectAnswer(request, response, 'baseUrl');
    },
  });
}

/**
 * Gives each POST a separate key, because an attempt may be served and its response lost. A create of a webhook subscription needs
 * none: it is idempotent by URL, and its response has the secret, which the replay for a key lacks.
 */
function keyed(request: Request): Request {
  if (request.method !== 'POST' || request.headers.has('idempotency-key')) return request;
  if (!new URL(request.url).pathname.endsWith('/api/public/webhooks'))
    request.headers.set('idempotency-key', crypto.randomUUID());
  return request;
}

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * The body of a response.
 * @throws SluiceProblem if the request was rejected.
 */
export async function bodyOf<T>(answering: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await answering;
  if (!response.ok) throw problemOf(error, response);
  keepEtag(data, response);
  return data as T;
}

/** The header of an Idempotency-Key that the caller chose. */
export function keyHeader({ idempotencyKey }: PostOptions) {
  return idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };
}

/** The header of the revision that a change expects. */
export function matchHeader({ ifMatch }: { readonly ifMatch?: string }) {
  return ifMatch === undefined ? {} : { 'If-Match': ifMatch };
}

/** The signal of a call, where it has one. */
export function signalOf({ signal }: { readonly signal?: AbortSignal }) {
  return signal === undefined ? {} : { signal };
}

/**
 * The path of a call with its ids. An empty id, a dot or two dots would make it the path of something else: of a list, say.
 * @throws TypeError for such an id, and for one that is missing.
 */
function serializePath(path: string, ids: Record<string, unknown>): string {
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    const id = ids?.[name] ?? '';
    if (id === '') throw new TypeError(`${name} is empty. Is the variable set that it is read from?`);
    if (id === '.' || id === '..') throw new TypeError(`${name} is not an id.`);
  }
  return defaultPathSerializer(path, ids);
}

/** The version of this package. */
const VERSION = '0.2.0';
