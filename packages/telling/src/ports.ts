/** What telling needs of the mailboxes of subscriptions. */
export interface MailboxPort {
  push(
    accountId: string,
    version: string,
    changes: readonly PushedChange[],
  ): Promise<
    | { readonly status: 'pushed' }
    | { readonly status: 'stale' }
    | { readonly status: 'fenced'; readonly waitMs: number }
  >;
  forget(accountId: string, changes: readonly ToldChange[]): Promise<void>;
  eraseChanges(accountId: string, changeIds: readonly string[]): Promise<void>;
}

export interface PushedChange {
  readonly changeId: string;
  readonly text: string;
  readonly kind: string;
  readonly recordId: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly to: readonly { readonly subscriptionId: string; readonly messageId: string }[];
}

/** A change that is in these mailboxes, and no longer in its record. */
export interface ToldChange {
  readonly changeId: string;
  readonly to: readonly string[];
}

/** What telling needs of the directory of subscriptions. */
export interface DirectoryPort {
  version(accountId: string): Promise<
    | { readonly status: 'version'; readonly version: string }
    | { readonly status: 'fenced'; readonly waitMs: number }
    /** Redis has lost the account's subscriptions, or never had them. Publish them first. */
    | { readonly status: 'absent' }
  >;
  /** Makes every list that was read before stale. */
  renewVersion(accountId: string): Promise<void>;
}
