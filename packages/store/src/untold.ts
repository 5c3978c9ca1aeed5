import type { UntoldChange } from '@sluice/contract/change';

/** The collections whose records have untold changes. */
export const TOLD_COLLECTIONS = ['leads', 'conversations', 'events', 'source_refusals'] as const;
export type ToldCollection = (typeof TOLD_COLLECTIONS)[number];

/** A record with changes that are not told yet. */
export interface UntoldRecord {
  readonly collection: ToldCollection;
  readonly id: string;
  readonly account_id: string;
  /** Oldest first. Never empty. */
  readonly changes: readonly UntoldChange[];
  /** The text of each change (contract/outbound-text.ts), where it is known. */
  readonly texts?: readonly string[] | undefined;
  /** When a deleted event expires, once its changes are told. Milliseconds since the Unix epoch. */
  readonly expires_at?: number | undefined;
}

/** Selects records by the time of their oldest untold change. Milliseconds since the Unix epoch. */
export interface UntoldQuery {
  readonly collection: ToldCollection;
  /** Inclusive. */
  readonly before: number;
  /** Continues behind a page that was read. */
  readonly after?: UntoldPlace | undefined;
  readonly limit: number;
}

/** The end of a page: a time, and the ids of the records of that time that were read. */
export interface UntoldPlace {
  readonly at: number;
  readonly ids: readonly string[];
}

export interface UntoldPage {
  readonly records: readonly UntoldRecord[];
  /** The ids of records whose changes can't be read. */
  readonly unreadable: readonly string[];
  /** Null: no further records follow. */
  readonly next: UntoldPlace | null;
}

export interface Untold {
  /** Oldest first. */
  pageUntold(query: UntoldQuery): Promise<UntoldPage>;
  /**
   * Clears told changes. Changes that were made meanwhile stay. Neither revision nor `updated_at` change. Returns false if
   * some record was changed, erased or cleared meanwhile.
   */
  clearTold(records: readonly UntoldRecord[]): Promise<boolean>;
}
