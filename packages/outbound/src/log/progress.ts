import type { ReceiverState, TakenEntry } from '../queue/turn.ts';
import type { TurnRequests } from './take-requests.ts';

/** `end` is exclusive. */
export interface NumberRange {
  readonly first: number;
  readonly end: number;
}

/** What a turn knows beside its messages. */
export interface Progress {
  readonly turn: number;
  state: ReceiverState;
  confirms: string;
  /** The last number that may be read. */
  last: number;
  /** Numbers that were given up. Their changes are published again with others. */
  skipped: readonly NumberRange[];
  /** The number of the last change that was read. Everything up to `checked` was. */
  read: number;
  checked: number;
  /** Rows of messages up to this number are looked up before they are sent. */
  readonly seen: number;
  /** When the first message that waits in a row is due. */
  retryAt: number | null;
  /** Messages that are attempted now, by their number. */
  readonly taken: Map<number, TakenEntry>;
  /** Those of them that have a row. */
  readonly rows: Set<number>;
  /** The ids of all messages of this turn. A row may not be stored yet. */
  readonly sent: Set<string>;
  /** Numbers that were not attempted, and their records. The cursor stops before them. */
  readonly back: Map<number, string>;
  /** Of an ordered subscription: how many messages of each record wait in rows. Its later ones wait behind them. */
  waiting: Map<string, number> | undefined;
  /** How many messages wait in rows, counted up to MOST_WAITING + 1. Undefined until the turn first reads changes. */
  pending: number | undefined;
  /** What was asked of the subscription when its turn was claimed (turns.lua.ts). */
  readonly asked: string;
  readonly requests: TurnRequests;
}

/** When a change was published, by its number in the log. Milliseconds since the Unix epoch by Redis's clock. */
export function publishedAt(number: number): number {
  return Math.floor(number / 1000);
}

/** A subscription with so many rows of messages that wait takes no further changes: each turn reads these rows. */
export const MOST_WAITING = 10_000;

/** Whether changes must stay in the log until some of the rows end. Without a retry no rows are left, whatever was counted before. */
export function isFull({ pending = 0, retryAt }: Progress): boolean {
  return retryAt !== null && pending >= MOST_WAITING;
}

/** One message more or less of a record waits. */
export function noteWaiting(progress: Progress, recordId: string, by: 1 | -1): void {
  if (progress.pending !== undefined) progress.pending += by;
  const { waiting } = progress;
  if (waiting === undefined) return;
  const count = (waiting.get(recordId) ?? 0) + by;
  if (count > 0) waiting.set(recordId, count);
  else waiting.delete(recordId);
}
