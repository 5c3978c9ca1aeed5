import type { PendingChange } from '@sluice/contract/message/change';

/** The collections whose records have pending changes. */
export const PUBLISHED_COLLECTIONS = ['leads', 'conversations', 'events', 'source_refusals'] as const;
export type PublishedCollection = (typeof PUBLISHED_COLLECTIONS)[number];

/** A record with changes that are not published yet. */
export interface PendingRecord {
  readonly collection: PublishedCollection;
  readonly id: string;
  readonly account_id: string;
  /** Oldest first. Never empty. */
  readonly changes: readonly PendingChange[];
  /** The text of each change (contract/message/outbound-text.ts), where it is known. */
  readonly texts?: readonly string[] | undefined;
  /** When a deleted event expires, once its changes are published. Milliseconds since the Unix epoch. */
  readonly expires_at?: number | undefined;
}

/** The sequence number of a record's last change. */
export function lastSequence({ changes }: Pick<PendingRecord, 'changes'>): number {
  return changes.at(-1)?.sequence ?? 0;
}
