import { createFetchFeed, type FetchedFeed, type FetchFeedSettings } from '@sluice/import/feed/fetch-feed';
import { type FeedServer, startFeedServer } from '../../support/feed-server.ts';

const NAMES: Readonly<Record<string, string>> = { 'feed.test': '127.0.0.1', 'inside.test': '127.0.0.2' };

/** Creates a fetcher for which 127.0.0.1 is the Internet, and all other addresses are internal. */
export function fetcher(settings: Partial<FetchFeedSettings> = {}) {
  return createFetchFeed({
    mayConnect: (address) => address === '127.0.0.1',
    resolve: async (name) => {
      const address = NAMES[name];
      if (address === undefined) throw new Error('ENOTFOUND');
      return [{ address, family: 4 }];
    },
    maxBytes: 1024 * 1024,
    timeoutMs: 30_000,
    ...settings,
  });
}

export function detailOf(fetched: FetchedFeed): string {
  return fetched.outcome === 'refused' ? fetched.detail : 'fetched';
}

/** Starts web servers within a `describe`, and closes them after its last test. */
export function useFeedServers(): typeof startFeedServer {
  const servers: FeedServer[] = [];
  after(() => Promise.all(servers.map((server) => server.close())));
  return async (...args) => {
    const server = await startFeedServer(...args);
    servers.push(server);
    return server;
  };
}
