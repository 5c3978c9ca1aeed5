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
  /** What was asked of the subscription when its turn was claimed (turns.lua.ts). */
  readonly asked: string;
  readonly requests: TurnRequests;
}

/** One message more or less of a record waits. */
export function countWaiting(progress: Progress, recordId: string, by: 1 | -1): void {
  const { waiting } = progress;
  if (waiting === undefined) return;
  const count = (waiting.get(recordId) ?? 0) + by;
  if (count > 0) waiting.set(recordId, count);
  else waiting.delete(recordId);
}
