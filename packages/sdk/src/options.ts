import type { RetryOptions } from './retry.ts';

/** How a client reaches the API. */
export interface ClientOptions {
  /** The address of the API server, without a path: `https://api.example.com`. */
  readonly baseUrl: string;
  /** The API key: `slc_live_…`. */
  readonly apiKey: string;
  /** Sends a request. Default: the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** How long one attempt may take. Milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
  /** Sent with every request. The dashboard shows `User-Agent` beside the key; browsers set their own. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call, also while it waits for the next attempt. */
  readonly signal?: AbortSignal;
}

/** Options of a call that creates or sends. */
export interface PostOptions extends CallOptions {
  /**
   * The same key makes the same call have one effect, within 24 hours. Default: a random one, the same for all attempts of
   * the call. Pass the id of your own record, so that also a restarted program makes one record.
   */
  readonly idempotencyKey?: string;
}

/** Options of a change. */
export interface ChangeOptions extends CallOptions {
  /** The ETag of the last read: `etagOf(lead)`. If the record has changed since, the change is rejected with `changed_meanwhile`. */
  readonly ifMatch?: string;
}
