import { bodyOf, createHttp, type Http, signalOf } from './http.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { type List, paginate } from './paginate.ts';
import { pageQuery } from './query.ts';
import { conversationsOf } from './resources/conversations.ts';
import { eventsOf } from './resources/events.ts';
import { leadsOf } from './resources/leads.ts';
import { webhooksOf } from './resources/webhooks.ts';
import type { FiltersOf, Identity, NamedItem } from './types.ts';

/** A client of the public API, for one API key. */
export interface SluiceClient {
  /** The account of the API key, the key and its scopes. */
  me(options?: CallOptions): Promise<Identity>;
  readonly leads: ReturnType<typeof leadsOf>;
  readonly conversations: ReturnType<typeof conversationsOf>;
  readonly events: ReturnType<typeof eventsOf>;
  readonly webhooks: ReturnType<typeof webhooksOf>;
  /** The event sources of the account, for menus and filters. */
  sources(filters?: FiltersOf<'listSources'>, options?: CallOptions): List<NamedItem>;
  /** Typed calls by path, for an operation that has no method here. They return problems instead of throwing them. */
  readonly http: Http;
}

/**
 * A client of the public API. Every method repeats a request where that is safe, and throws
 * `SluiceProblem` for a rejected request, `SluiceConnectionError` if no attempt got a response, and the reason of an aborted
 * signal.
 * @throws TypeError if `baseUrl` is no http or https address, or `apiKey` is empty.
 */
export function createClient(options: ClientOptions): SluiceClient {
  const http = createHttp(options);
  return {
    me: (options = {}) => bodyOf(http.GET('/api/public/automation/me', signalOf(options))),
    leads: leadsOf(http),
    conversations: conversationsOf(http),
    events: eventsOf(http),
    webhooks: webhooksOf(http),
    sources: (filters = {}, options = {}) =>
      paginate((cursor) => {
        const query = pageQuery<'listSources'>(filters, cursor);
        return bodyOf(http.GET('/api/public/sources', { params: { query }, ...signalOf(options) }));
      }),
    http,
  };
}
