/** The remaining rate of a source after a request. */
export interface RateState {
  readonly remaining: number;
  /** Seconds until the whole burst is free again. */
  readonly resetSeconds: number;
}

export type Verdict =
  | { readonly outcome: 'admitted' | 'duplicate'; readonly sequence: number; readonly rate: RateState }
  /** The cached source is stale: read it and verify the request again. */
  | { readonly outcome: 'stale' }
  /** An admin is changing the source: retry soon. */
  | { readonly outcome: 'changing' }
  | { readonly outcome: 'inactive' | 'plan_limit' | 'backlog_full'; readonly rate: RateState }
  /** A signed request without a valid action. `logged`: it gets a separate row. Otherwise it was counted. */
  | { readonly outcome: 'refused'; readonly logged: boolean; readonly rate: RateState }
  | { readonly outcome: 'rate_limited'; readonly retryAfterSeconds: number; readonly rate: RateState }
  /** An unverified request. `logged`: it gets a separate row. Otherwise it was counted. */
  | { readonly outcome: 'refused_unverified'; readonly logged: boolean }
  /** A wrong signature of an address over its limit. It was counted and gets no separate row. */
  | { readonly outcome: 'too_many_bad_signatures'; readonly retryAfterSeconds: number };
