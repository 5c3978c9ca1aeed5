import type { Mailboxes } from '../queue/mailboxes.ts';
import type { SubscriptionDirectory } from '../queue/subscription-directory.ts';

/** The mailboxes, as telling uses them. */
export type MailboxPort = Pick<Mailboxes, 'push' | 'forget' | 'eraseChanges'>;

/** The directory, as telling uses it. */
export type DirectoryPort = Pick<SubscriptionDirectory, 'version' | 'renewVersion'>;

/** A change that is in these mailboxes, and no longer in its record. */
export interface ToldChange {
  readonly changeId: string;
  readonly recordId: string;
  readonly to: readonly string[];
}
