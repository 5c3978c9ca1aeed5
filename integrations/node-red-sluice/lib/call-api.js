const { readRejection } = require('./rejection.js');

const TIMEOUT_MS = 10_000;
const TRIES = 4;
/** A process that died keeps its request in progress for 30 s. The waits of these tries are 31 s together. */
const TRIES_IN_PROGRESS = 6;
const LONGEST_WAIT_SECONDS = 60;

/** An API server of Sluice, and the key that it is called with. */
class Api {
  /** `baseUrl` is the address of the dashboard, with or without a slash at its end. `wait` resolves after some seconds. */
  constructor({ baseUrl, apiKey, wait = pause }) {
    this.root = `${String(baseUrl ?? '')
      .trim()
      .replace(/\/+$/, '')}/api/public`;
    this.apiKey = apiKey;
    this.wait = wait;
  }

  /**
   * Calls the public API and returns the body, or undefined where there is none. Waits for Retry-After at 429 and 503, and
   * at 409 until an earlier request with the same Idempotency-Key has ended. Then sends the same request again, at most
   * `tries` times, or 6 times for 409. Rejects with the sentence of the problem.
   */
  async call(method, path, { query = {}, body, idempotencyKey, tries = TRIES } = {}) {
    for (let tried = 1; ; tried++) {
      const { response, text } = await this.send(method, path, { query, body, idempotencyKey });
      if (response.ok) return text === '' ? undefined : parse(text, response.url);
      const rejection = readRejection(response.status, text, response.headers.get('retry-after'));
      const { error, waitSeconds } = rejection;
      const isInProgress = error.status === 409;
      const most = isInProgress ? Math.max(tries, TRIES_IN_PROGRESS) : tries;
      if (waitSeconds === undefined || waitSeconds > LONGEST_WAIT_SECONDS || tried >= most) throw error;
      await this.wait(isInProgress ? waitSeconds * 2 ** (tried - 1) : waitSeconds);
    }
  }

  async send(method, path, { query, body, idempotencyKey }) {
    const url = this.address(path, query);
    const options = {
      method,
      headers: {
        Accept: 'application/json',
        Authorization: `Bearer ${this.apiKey}`,
        'User-Agent': 'node-red-sluice',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // A redirect could carry the key elsewhere.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    };
    try {
      const response = await fetch(url, options);
      return { response, text: await response.text() };
    } catch (error) {
      const reason = error.cause?.code ?? error.name;
      throw Object.assign(new Error(`Sluice does not respond at ${url.origin} (${reason}).`), {
        code: 'unreachable',
        isTemporary: true,
      });
    }
  }

  address(path, query) {
    if (!URL.canParse(this.root) || !/^https?:/.test(this.root))
      throw new Error('The base URL is not an address. Example: https://sluice.example.com');
    const url = new URL(this.root + path);
    for (const [name, value] of Object.entries(query)) {
      // The API reads a phone number that begins with a space as one with a bare plus.
      const text = String(value ?? '').trim();
      if (text !== '') url.searchParams.set(name, text);
    }
    return url;
  }
}

function pause(seconds) {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

function parse(text, url) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(
      `No Sluice API server responds at ${new URL(url).origin}. Enter the address of your dashboard.`,
    );
  }
}

/**
 * Reads a list up to `most` records, page by page. A list is either a bare array or pages with a cursor. `query` is null: no
 * record can match.
 */
async function readList(api, path, query = {}, most = Number.POSITIVE_INFINITY) {
  const all = [];
  if (query === null) return all;
  let cursor;
  do {
    const page = await api.call('GET', path, { query: { ...query, ...(cursor && { cursor }) } });
    const rows = Array.isArray(page) ? page : page.data;
    all.push(...rows.slice(0, most - all.length));
    cursor = Array.isArray(page) ? null : page.next_cursor;
  } while (cursor && all.length < most);
  return all;
}

module.exports = { Api, readList };
