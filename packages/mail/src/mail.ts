/** A plain-text email. */
export interface Mail {
  /** The kind of mail, for the log. The recipient is never logged. */
  readonly kind:
    | 'password_reset'
    | 'password_changed'
    | 'two_factor_changed'
    | 'subscriptions_paused'
    | 'source_refusing';
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}
