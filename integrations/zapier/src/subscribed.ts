/** The part of a subscription that Zapier keeps, as `bundle.subscribeData`. */
export interface Subscribed {
  readonly id: string;
  readonly secret: string;
  /** Absent where an earlier version of the app has subscribed. */
  readonly updated_at?: string;
}
