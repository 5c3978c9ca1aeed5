import type { Mailboxes } from '../queue/mailboxes.ts';
import type { SubscriptionDirectory } from '../queue/subscription-directory.ts';

/** The mailboxes, as publishing uses them. */
export type MailboxPort = Pick<Mailboxes, 'push' | 'forget' | 'eraseChanges'>;

/** The directory, as publishing uses it. */
export type DirectoryPort = Pick<SubscriptionDirectory, 'version' | 'renewVersion'>;

/** A change that is in these mailboxes, and no longer in its record. */
export interface PublishedChange {
  readonly changeId: string;
  readonly recordId: string;
  readonly to: readonly string[];
}
