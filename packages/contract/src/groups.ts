import type { Action, ActionKind } from './action.ts';
import type { DeliveryOrigin, KeptRequest, SignedWith } from './delivery.ts';
import type { ProblemCode } from './problem.ts';

/**
 * The shape of what travels from ingress to worker. A worker leaves a newer version to a newer worker
 * instead of guessing; it must read the previous version too, so that replicas can be replaced one by one.
 */
export const GROUP_VERSION = 3;

/**
 * The versions that a worker reads. Version 1 held every action beside the body that says it; version 2 named each
 * delivery, which follows from what else is known of it.
 */
export const READABLE_VERSIONS: readonly unknown[] = [1, 2, GROUP_VERSION];

/** Was a group of this version enqueued by a newer ingress? What is no version at all is not newer. */
export function isNewerVersion(v: unknown): v is number {
  return Number.isSafeInteger(v) && (v as number) > GROUP_VERSION;
}

/**
 * What the id of a group begins with whose one action is a dead letter that an operator runs again. Its delivery is in
 * the log already, as failed: the row is replaced, and the letter is removed once the action is applied.
 */
export const RERUN_GROUP_PREFIX = 'rerun_';

/** One accepted request inside a group. */
export interface AdmittedAction {
  readonly delivery_id: string;
  readonly request_id: string;
  readonly source_id: string;
  readonly account_id: string;
  /** The order in which the source's requests were admitted. */
  readonly sequence: number;
  /** Milliseconds since the Unix epoch. */
  readonly received_at: number;
  /** The first delivery of the byte-identical request, where this one repeats it. */
  readonly duplicate_of: string | null;
  readonly action: Action;
  /**
   * Only where the source keeps bodies, be it of failures. Optional fields need no new version: whoever does not know
   * them leaves them out.
   */
  readonly request?: KeptRequest;
  /** The request is logged only if the action fails: the source keeps no other bodies. Absent: whatever becomes of it. */
  readonly request_for?: 'failures' | undefined;
  /** Absent means webhook. */
  readonly origin?: DeliveryOrigin;
  /** The delivery that is repeated on an admin's request. */
  readonly reprocess_of?: string;
  /** `previous` where it was accepted during an overlap. */
  readonly signed_with?: SignedWith | undefined;
  /** The import that it is a row of. */
  readonly import_id?: string;
  /** The import that it takes back. */
  readonly undoes?: string;
  /** Where its request stands in a trace (W3C traceparent). Absent where that is not traced. */
  readonly traceparent?: string | undefined;
}

/**
 * An accepted request as it stands in its job: without what whoever takes the job can tell from the rest.
 * No action where the kept body says it, as nearly all do; no sequence number where the group lists them; no ids of
 * deliveries where they are the derived ones (delivery-id.ts).
 */
export interface EnqueuedAction
  extends Omit<AdmittedAction, 'action' | 'request' | 'delivery_id' | 'duplicate_of' | 'sequence'> {
  readonly delivery_id?: string;
  readonly duplicate_of?: string | null;
  readonly sequence?: number;
  readonly action?: Action | undefined;
  readonly request?: KeptRequest | undefined;
}

/** An action that asks to be admitted: all that its job will hold of it but what the admission adds. */
export type AskedAction = Omit<EnqueuedAction, 'delivery_id' | 'duplicate_of' | 'sequence'>;

/** One refused request inside a group. */
export interface RefusedRequest {
  readonly delivery_id: string;
  readonly request_id: string;
  readonly source_id: string;
  readonly account_id: string;
  /** Milliseconds since the Unix epoch. */
  readonly received_at: number;
  /** null where the body was not verified, or was not an action. */
  readonly action: ActionKind | null;
  readonly title: string | null;
  readonly code: ProblemCode;
  readonly reason: string;
  /** Only where the signature held and the source keeps bodies. */
  readonly request?: KeptRequest;
  readonly signed_with?: SignedWith;
}

/** The accepted requests that were admitted together: one job of the queue `actions`. */
export interface ActionGroup {
  readonly v: typeof GROUP_VERSION;
  /** Names the group across retries of its job. */
  readonly group_id: string;
  /** Of each action in its turn, where the admission has put them here (admit.lua.ts). */
  readonly sequences?: readonly number[];
  /** Indexes of the actions that repeat the request which was given their sequence number first. */
  readonly repeated?: readonly number[];
  /** What the dead letter is kept under that is run again: what it holds need not name it. */
  readonly letter_id?: string;
  readonly actions: readonly EnqueuedAction[];
}

/** The refused requests that were admitted together: one job of the queue `refusals`. */
export interface RefusalGroup {
  readonly v: typeof GROUP_VERSION;
  readonly group_id: string;
  /** As in an ActionGroup. */
  readonly letter_id?: string;
  readonly refusals: readonly RefusedRequest[];
}

/** An action that can never be applied as it is: one job of the queue `dead-letters`, named by its delivery. */
export interface DeadLetter {
  readonly v: typeof GROUP_VERSION;
  /** Milliseconds since the Unix epoch. */
  readonly failed_at: number;
  readonly reason: string;
  /** What was enqueued, untouched: it may be of a shape that this version cannot read. */
  readonly action: unknown;
  /** It was a request that had been refused, and is to be logged, not applied. */
  readonly refused?: true;
}
