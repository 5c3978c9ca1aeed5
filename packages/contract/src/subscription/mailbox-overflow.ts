/** An entry of a mailbox that Redis has no room for, as MongoDB has it. */
export interface OverflowRow {
  readonly subscriptionId: string;
  /** The mailbox that it belongs to. One that was made again has another era. */
  readonly era: string;
  /** The move that wrote it. */
  readonly epoch: number;
  readonly number: number;
  readonly messageId: string;
  /** Milliseconds since the Unix epoch. */
  readonly pushedAt: number;
  /** The text in Redis (mailboxes/entry.ts). */
  readonly entry: string;
}

/** The part of mailboxes that is in MongoDB. Rejects if it is unavailable. */
export interface OverflowStore {
  /** Idempotent. */
  insertRows(rows: readonly OverflowRow[]): Promise<void>;
  /** By number, between `from` and `to`. A number may come twice, with the same entry. */
  readRows(
    range: Pick<OverflowRow, 'subscriptionId' | 'era'> & {
      readonly from: number;
      readonly to: number;
      readonly limit: number;
    },
  ): Promise<readonly OverflowRow[]>;
  /** Removes those between `from` and `to` that this or an earlier move has written. */
  removeRows(
    rows: Pick<OverflowRow, 'subscriptionId' | 'era' | 'epoch'> & {
      readonly from: number;
      readonly to: number;
    },
  ): Promise<void>;
  /** Whether one of these numbers is of the message. */
  containsMessage(
    range: Pick<OverflowRow, 'subscriptionId' | 'era' | 'messageId'> & {
      readonly from: number;
      readonly to: number;
    },
  ): Promise<boolean>;
  /** The latest first, by `pushedAt` and `messageId`. */
  newestRows(page: OverflowPage): Promise<readonly OverflowRow[]>;
}

/** Selects rows between two numbers. Other rows do not wait: they have come back, or a move that lost a race has written them. */
export type OverflowPage = Pick<OverflowRow, 'subscriptionId' | 'era'> & {
  readonly from: number;
  readonly to: number;
  readonly before: Pick<OverflowRow, 'pushedAt' | 'messageId'> | undefined;
  readonly limit: number;
};
