import type { Doer } from '../account/doer.ts';
import type { ACTOR_TYPES, ChangeKind } from './event-kinds.ts';

/** Kinds that change no field. Only the history of a record has them, and no message tells of them. */
export const HISTORY_KINDS = ['lead.noted'] as const;
export type HistoryKind = (typeof HISTORY_KINDS)[number];

/** The author of a change. */
export interface Actor {
  readonly type: (typeof ACTOR_TYPES)[number];
  /** Id of the API key, user or source; for `system` the name of the part, such as `pipeline`. */
  readonly id: string;
  /** The import of a file that made the change. Absent otherwise. */
  readonly import_id?: string;
}

/**
 * A change that is not yet told. It is stored in its record, by the same write that makes the change. So a process that dies
 * after the write loses nothing.
 */
export interface PendingChange {
  /**
   * Grows with every change of one record: at least the previous one plus 1, and usually the time in microseconds since the
   * Unix epoch.
   */
  readonly sequence: number;
  readonly kind: ChangeKind | HistoryKind;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly actor: Actor;
  /** The record after the change, as the API returns it. For `lead.erased` only its id. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The changed fields before the change, in the form of `data`. Absent for a new record. */
  readonly previous?: Readonly<Record<string, unknown>>;
  /** A note about this change, such as why a lead moved, or a note alone. It is shown in the history only. */
  readonly note?: string;
  /** The request that made it, if it had an Idempotency-Key. So a repeat of the request finds its change. Never shown. */
  readonly request_id?: string;
  /** The audit log gets an entry when the change is published. Absent: publishing it adds none. Never shown with the change. */
  readonly doer?: Doer;
}

/** The sequence number after `previous` (0: none) at `nowMs`, milliseconds since the Unix epoch. */
export function nextSequence(previous: number, nowMs: number): number {
  return Math.max(previous + 1, Math.floor(nowMs) * 1000);
}

/** A change that messages tell of. */
export type MessageChange = PendingChange & { readonly kind: ChangeKind };

/** Whether messages tell of a change. */
export function hasMessages(change: PendingChange): change is MessageChange {
  return !(HISTORY_KINDS as readonly string[]).includes(change.kind);
}
