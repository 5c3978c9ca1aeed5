import type { Bundle, HttpRequestOptions, ZObject } from 'zapier-platform-core';

/** The address of the public API from what the user typed. Throws a sentence if no key may be sent there. */
export function apiAddress(z: ZObject, { authData }: Pick<Bundle, 'authData'>): string {
  const text = (authData.base_url ?? '').trim();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new z.errors.Error(
      'The base URL is not an address. Example: https://sluice.example.com',
      'base_url',
      400,
    );
  if (url.protocol === 'http:' && !isThisMachine(url.hostname))
    throw new z.errors.Error(
      'The base URL must begin with https, because the API key is sent to it.',
      'base_url',
      400,
    );
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}/api/public`;
}

function isThisMachine(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** Calls the public API and returns the body. A response that is not 2xx throws the sentence of its problem. */
export async function callApi<T = Record<string, unknown>>(
  z: ZObject,
  bundle: Pick<Bundle, 'authData'>,
  path: string,
  { body, ...options }: HttpRequestOptions = {},
): Promise<T> {
  const sent = body === undefined ? options : withJson(body, options);
  const response = await z.request<T>({ ...sent, url: apiAddress(z, bundle) + path });
  return response.data;
}

/**
 * A body as JSON text. Zapier deletes `{{name}}` from the texts of an object, and throws for `{{bundle.name}}` in a text. In JSON two
 * braces follow each other only within a string, where the second may be escaped.
 */
export function withJson(body: unknown, options: HttpRequestOptions): HttpRequestOptions {
  const headers = { ...options.headers, 'Content-Type': 'application/json' };
  return { ...options, headers, body: JSON.stringify(body).replaceAll('{{', '{\\u007b') };
}

interface Page {
  readonly data: Record<string, unknown>[];
  readonly next_cursor: string | null;
}

/** All pages of a list. */
export async function readPages(
  z: ZObject,
  bundle: Pick<Bundle, 'authData'>,
  path: string,
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  let cursor: string | null = null;
  do {
    const params: Record<string, string> = { limit: '200', ...(cursor !== null && { cursor }) };
    const page: Page = await callApi<Page>(z, bundle, path, { params });
    found.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

/** A list is either a bare array or a page in `data`. Reads one page. */
export async function readList(
  z: ZObject,
  bundle: Pick<Bundle, 'authData'>,
  path: string,
  params: Record<string, string> = {},
): Promise<Record<string, unknown>[]> {
  type Rows = Record<string, unknown>[];
  const body = await callApi<Rows | { data: Rows }>(z, bundle, path, { params });
  return Array.isArray(body) ? body : body.data;
}
