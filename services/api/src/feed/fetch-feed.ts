import type { AddressPolicy } from './address-policy.ts';
import { readFeedUrl } from './feed-url.ts';
import { type GetResult, get, type Resolve } from './get.ts';

/** The bytes of a feed, or what to do about it that there are none. */
export type FetchedFeed =
  | { readonly outcome: 'fetched'; readonly host: string; readonly bytes: Buffer }
  | { readonly outcome: 'refused'; readonly detail: string };

export type FetchFeed = (url: string) => Promise<FetchedFeed>;

export interface FetchFeedSettings {
  readonly mayConnect: AddressPolicy;
  readonly resolve: Resolve;
  readonly maxBytes: number;
  /** For all of it, redirects included. */
  readonly timeoutMs: number;
}

const MAX_REDIRECTS = 3;

/**
 * Fetches a feed once, on behalf of somebody who is not trusted with the network that this process is in: every address is
 * looked at before it is connected to, after each redirect anew, and it is the very address that is connected to, so that
 * a name which means something else a moment later gains nothing. No cookie, no credentials, no proxy.
 */
export function createFetchFeed(settings: FetchFeedSettings): FetchFeed {
  return async (text) => {
    const signal = AbortSignal.timeout(settings.timeoutMs);
    let read = readFeedUrl(text);
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      if (read.outcome === 'refused') return read;
      const { url } = read;
      const result = await get(url, { ...settings, signal });
      if (result.outcome !== 'redirected') return answerOf(url, result, settings);
      read = readFeedUrl(result.location, url);
      if (read.outcome === 'url' && url.protocol === 'https:' && read.url.protocol === 'http:')
        return refused(`${url.host} redirects to an address without https. Paste that one if it is right.`);
    }
    return refused(`The feed redirects more than ${MAX_REDIRECTS} times. Paste the address that it ends at.`);
  };
}

function answerOf(
  { host }: URL,
  result: Exclude<GetResult, { outcome: 'redirected' }>,
  { maxBytes, timeoutMs }: FetchFeedSettings,
): FetchedFeed {
  switch (result.outcome) {
    case 'body':
      return { outcome: 'fetched', host, bytes: result.bytes };
    case 'forbidden_address':
      return refused(
        `${host} is in a private or special network, from which feeds are not fetched. Download the file and drop it here, or have FEED_PRIVATE_NETWORKS set.`,
      );
    case 'unknown_host':
      return refused(`There is no host ${host}. Check the address.`);
    case 'status':
      return refused(
        `${host} answered ${result.status} instead of a calendar. Check that the address is right and public.`,
      );
    case 'encoded':
      return refused(`${host} sends the feed compressed, unasked. Download the file and drop it here.`);
    case 'too_large':
      return refused(`The feed is larger than ${maxBytes / 1024 / 1024} MB. Ask for a shorter one.`);
    case 'timeout':
      return refused(`${host} did not send the feed within ${timeoutMs / 1000} seconds. Try again later.`);
    case 'failed':
      return refused(`The connection to ${host} failed. Check the address, and try again later.`);
  }
}

function refused(detail: string): FetchedFeed {
  return { outcome: 'refused', detail };
}
