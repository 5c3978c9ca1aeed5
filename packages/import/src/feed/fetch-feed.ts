import type { AllowedAddressesSettings } from '@sluice/egress/allowed-addresses';
import { decodeCalendar, decodingNotes } from '../calendar/decode-calendar.ts';
import { type GetResult, get } from './get.ts';

/** The bytes of a feed, or what to do about it that there are none. */
export type FetchedFeed =
  | { readonly outcome: 'fetched'; readonly host: string; readonly bytes: Buffer; readonly charset?: string }
  | Refused;

export type FetchFeed = (url: string) => Promise<FetchedFeed>;

export interface FetchFeedSettings extends AllowedAddressesSettings {
  readonly maxBytes: number;
  /** For all of it, redirects included. */
  readonly timeoutMs: number;
}

const MAX_REDIRECTS = 3;

/** `webcal:` says nothing about TLS: most hosts have it, some do not. */
const WEBCAL = /^\s*webcal:/i;

/**
 * Fetches a feed once, on behalf of a person who is not trusted with the network of this process. Every address is checked
 * before the connection, also after each redirect. The connection goes to the address that was checked, so a name that means
 * another address a moment later gains nothing. No cookie, no credentials, no proxy.
 */
export function createFetchFeed(settings: FetchFeedSettings): FetchFeed {
  return async (text) => {
    const bounded = { ...settings, signal: AbortSignal.timeout(settings.timeoutMs) };
    let detail = '';
    for (const address of addressesToTry(text)) {
      const read = readFeedUrl(address);
      if (read.outcome === 'refused') return read;
      const fetched = await follow(read.url, bounded);
      if (fetched.outcome !== 'unconnected') return fetched;
      detail = fetched.detail;
    }
    return refused(detail);
  };
}

/** A `webcal:` address is tried with TLS, then without. */
function addressesToTry(text: string): string[] {
  return WEBCAL.test(text) ? ['https:', 'http:'].map((scheme) => text.replace(WEBCAL, scheme)) : [text];
}

/** The connection failed, so that another scheme may be tried. */
interface Unconnected {
  readonly outcome: 'unconnected';
  readonly detail: string;
}

async function follow(
  start: URL,
  settings: FetchFeedSettings & { readonly signal: AbortSignal },
): Promise<FetchedFeed | Unconnected> {
  let url = start;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const result = await get(url, settings);
    if (result.outcome !== 'redirected') return answerOf(url, result, settings);
    const read = readFeedUrl(result.location, url);
    if (read.outcome === 'refused') return read;
    if (url.protocol === 'https:' && read.url.protocol === 'http:')
      return refused(`${url.host} redirects to an address without https. Paste that one if it is right.`);
    url = read.url;
  }
  return refused(`The feed redirects more than ${MAX_REDIRECTS} times. Paste the address that it ends at.`);
}

function answerOf(
  { host }: URL,
  result: Exclude<GetResult, { outcome: 'redirected' }>,
  { maxBytes, timeoutMs }: FetchFeedSettings,
): FetchedFeed | Unconnected {
  switch (result.outcome) {
    case 'body':
      return {
        outcome: 'fetched',
        host,
        bytes: result.bytes,
        ...(result.charset !== undefined && { charset: result.charset }),
      };
    case 'forbidden_address':
      return refused(
        `${host} is in a private or special network, from which feeds are not fetched. Download the file and drop it here, or ask an operator to list the host in FEED_ALLOW.`,
      );
    case 'unknown_host':
      return refused(`There is no host ${host}. Check the address.`);
    case 'status':
      return refused(`${host} answered ${result.status} instead of a calendar. ${remedyFor(result.status)}`);
    case 'bad_certificate':
      return {
        outcome: 'unconnected',
        detail: `The TLS certificate of ${host} is not valid: it has expired, is self-signed or is for another host. Use the name that it is for, or download the file and drop it here.`,
      };
    case 'unknown_issuer':
      return {
        outcome: 'unconnected',
        detail: `The TLS certificate of ${host} cannot be verified: the server may not send its whole chain, or its authority is unknown. Tell those who run the server, or download the file and drop it here.`,
      };
    case 'encoded':
      return refused(`${host} sends the feed in an unknown compression. Download the file and drop it here.`);
    case 'damaged':
      return refused(
        `${host} sends a compressed feed that cannot be unpacked. Download the file and drop it here.`,
      );
    case 'too_large':
      return refused(`The feed is larger than ${maxBytes / 1024 / 1024} MB. Ask for a shorter one.`);
    case 'timeout':
      return refused(`${host} did not send the feed within ${timeoutMs / 1000} seconds. Try again later.`);
    case 'failed':
      return {
        outcome: 'unconnected',
        detail: `The connection to ${host} failed. Check the address, and try again later.`,
      };
  }
}

function remedyFor(status: number): string {
  if (status === 401 || status === 403)
    return 'Use the private or public address of the feed, which needs no login, or download the file and drop it here.';
  return status === 429 || status >= 500 ? 'Try again later.' : 'Check that the address is right and public.';
}

interface Refused {
  readonly outcome: 'refused';
  readonly detail: string;
}

function refused(detail: string): Refused {
  return { outcome: 'refused', detail };
}

/** The URL to fetch, or why it is not fetched. `detail` never repeats the URL, because it may be a secret. */
export type FeedUrl = { readonly outcome: 'url'; readonly url: URL } | Refused;

const ANY_WEBCAL = /^webcals?:/i;

/** Below 1024 only those of the web: what listens there otherwise understands HTTP as something else. */
const FIRST_FREE_PORT = 1024;

/** Reads the address of a feed, as typed or as a redirect names it. `webcal:` stands for https. */
export function readFeedUrl(text: string, base?: URL): FeedUrl {
  const written = text.trim().replace(ANY_WEBCAL, 'https:');
  if (!URL.canParse(written, base?.href))
    return refused('This is no URL. Paste the whole address, with https://.');
  const url = new URL(written, base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refused('Only addresses that begin with https://, http:// or webcal:// are fetched.');
  if (url.username !== '' || url.password !== '')
    return refused(
      'Take user name and password out of the address. Use the private address of the feed, if it has one.',
    );
  const port = Number(url.port);
  if (url.port !== '' && port < FIRST_FREE_PORT && port !== 80 && port !== 443)
    return refused(`Port ${port} is not one that feeds are fetched from.`);
  url.hash = '';
  return { outcome: 'url', url };
}

/** Limit on fetching a feed: shorter than the response timeout of browsers and proxies. Milliseconds. */
export const FEED_TIMEOUT_MS = 15_000;

/** The text of a calendar feed, or why there is none. */
export type FeedRead =
  | {
      readonly outcome: 'read';
      /** Serves as the name of the file, because the whole address may be a secret. */
      readonly host: string;
      readonly text: string;
      /** Sentences about its encoding. */
      readonly decoding: readonly string[];
    }
  | Refused;

const NO_CALENDAR =
  'did not respond with an iCalendar feed, which starts with BEGIN:VCALENDAR. Use the URL of the .ics file.';

/** How far behind its beginning a feed may begin its calendar. Characters. A few warnings of PHP need some hundred. */
const MAX_BEFORE = 4000;

/**
 * Fetches a feed and decodes it. Only what begins like a calendar is returned, so that nothing else can be read. Warnings of the server
 * may stand before it.
 */
export async function readFeed(fetchFeed: FetchFeed, url: string): Promise<FeedRead> {
  const fetched = await fetchFeed(url);
  if (fetched.outcome === 'refused') return fetched;
  const { host, bytes, charset } = fetched;
  const decoded = decodeCalendar(bytes, charset);
  const { text } = decoded;
  const from = text.slice(0, MAX_BEFORE).search(/BEGIN:(?:VCALENDAR|VEVENT)\s*[\r\n]/i);
  if (from === -1) return refused(`${host} ${NO_CALENDAR}`);
  const before = text.slice(0, from);
  // Empty lines stay, so that the lines keep their numbers.
  const calendar = before.replace(/[^\r\n]/g, '') + text.slice(from);
  const passed = /[^\uFEFF\s]/.test(before) ? [PASSED_OVER] : [];
  return { outcome: 'read', host, text: calendar, decoding: [...passed, ...decodingNotes(decoded)] };
}

const PASSED_OVER =
  'Text before BEGIN:VCALENDAR was passed over. It may be a warning of the server that sends the feed.';
