import type { ConversationAction } from '../conversation/conversation-action.ts';
import type { Action } from '../event/action.ts';
import type { ProblemCode } from '../problem/problem.ts';
import type {
  DeliveryAction,
  DeliveryOrigin,
  KeptRequest,
  MappedBy,
  SignedWith,
  UnappliedCode,
} from './delivery.ts';

/** The version of the jobs from ingress to worker. A worker leaves a newer version to a newer worker. */
export const GROUP_VERSION = 5;

/** The version of a group with an `external_id`, which older workers do not know. */
export const ID_GROUP_VERSION = 6;

/** The versions that a worker reads: what a release since 0.2.0 wrote, so that replicas can be replaced one by one. */
export const READABLE_VERSIONS: readonly unknown[] = [GROUP_VERSION, ID_GROUP_VERSION];

export type GroupVersion = typeof GROUP_VERSION | typeof ID_GROUP_VERSION;

/** The lowest version of a group with this action. A dead letter may have anything in its place. */
export function groupVersionOf(action: unknown): GroupVersion {
  const hasId = typeof action === 'object' && action !== null && 'external_id' in action;
  return hasId ? ID_GROUP_VERSION : GROUP_VERSION;
}

/** Returns whether a newer ingress enqueued a group of this version. A value that is not a version is not newer. */
export function isNewerVersion(v: unknown): v is number {
  return Number.isSafeInteger(v) && (v as number) > ID_GROUP_VERSION;
}

/**
 * The id prefix of a group whose one action is a retried dead letter. Its delivery is in the log already, as failed. The row
 * is replaced, and the letter is removed once the action is applied.
 */
export const RERUN_GROUP_PREFIX = 'rerun_';

/** The actions of events and of channels. */
export type AnyAction = Action | ConversationAction;

/** One accepted request of a channel inside a group. */
export type AdmittedConversation = AdmittedAction<ConversationAction>;

/** One accepted request inside a group. */
export interface AdmittedAction<A extends AnyAction = Action> {
  readonly delivery_id: string;
  readonly request_id: string;
  readonly source_id: string;
  readonly account_id: string;
  /** The order in which the source's requests were admitted. */
  readonly sequence: number;
  /** Milliseconds since the Unix epoch. */
  readonly received_at: number;
  /** The first delivery of the byte-identical request, if this one is a duplicate. */
  readonly duplicate_of: string | null;
  readonly action: A;
  /**
   * Present if the source stores bodies of all requests or of failures. Optional fields need no new version, because an
   * older reader omits them.
   */
  readonly request?: KeptRequest;
  /** The request is logged only if the action fails, because the source stores no other bodies. Absent: always. */
  readonly request_for?: 'failures' | undefined;
  /** Absent means webhook. */
  readonly origin?: DeliveryOrigin;
  /** The delivery that an admin has reprocessed. */
  readonly reprocess_of?: string;
  /** `previous` if it was accepted during an overlap. */
  readonly signed_with?: SignedWith | undefined;
  /** Absent: the body is an action. */
  readonly mapped?: MappedBy | undefined;
  /** The import of this row. */
  readonly import_id?: string;
  /** The import that this action undoes. */
  readonly undoes?: string;
  /** The ingress whose sender waits for the result (action-result.ts). Absent: no sender waits. */
  readonly results_to?: string | undefined;
  /** The W3C traceparent of its request. Absent if the request is not traced. */
  readonly traceparent?: string | undefined;
}

/**
 * An accepted request as stored in a job. Fields the worker can derive are omitted: the action if the stored body has it,
 * as nearly all do; the sequence number if the group lists them; the ids of deliveries if they are derived (delivery-id.ts).
 */
export interface EnqueuedAction
  extends Omit<AdmittedAction, 'action' | 'request' | 'delivery_id' | 'duplicate_of' | 'sequence'> {
  readonly delivery_id?: string;
  readonly duplicate_of?: string | null;
  readonly sequence?: number;
  readonly action?: AnyAction | undefined;
  /** Tells the worker how to read the stored body. Absent: as an event. */
  readonly source_kind?: 'channel' | undefined;
  readonly request?: KeptRequest | undefined;
}

/** An action that asks for admission: the fields of its job without those that the admission adds. */
export type AskedAction = Omit<EnqueuedAction, 'delivery_id' | 'duplicate_of' | 'sequence'>;

/** One request inside a group that is only logged: rejected, or with a 200 and not applied. */
export type RefusedRequest = LoggedRequest &
  (
    | { readonly code: ProblemCode; readonly unapplied?: never }
    | { readonly code: null; readonly unapplied: UnappliedCode }
  );

interface LoggedRequest {
  readonly delivery_id: string;
  readonly request_id: string;
  readonly source_id: string;
  readonly account_id: string;
  /** Milliseconds since the Unix epoch. */
  readonly received_at: number;
  /** null if the body was not verified, or was not an action. */
  readonly action: DeliveryAction | null;
  readonly title: string | null;
  readonly mapped?: MappedBy | undefined;
  /** Present if its action has one. */
  readonly external_id?: string;
  readonly reason: string;
  /** Its body is null unless the signature is valid and the source stores bodies. */
  readonly request?: KeptRequest;
  readonly signed_with?: SignedWith;
}

/** The accepted requests that were admitted together: one job of the queue `actions`. */
export interface ActionGroup {
  readonly v: GroupVersion;
  /** The id of the group. Retries of its job keep it. */
  readonly group_id: string;
  /** The sequence number of each action, if the admission has listed them (admit.lua.ts). */
  readonly sequences?: readonly number[];
  /** Indexes of duplicates. They have the sequence number of the first request. */
  readonly repeated?: readonly number[];
  /** The id of the retried dead letter, because its content may not name it. */
  readonly letter_id?: string;
  /** Absent in a packed job (PackedGroup). */
  readonly actions: readonly EnqueuedAction[];
}

/**
 * An ActionGroup as stored in a job while many groups wait. It takes a fraction of the memory of Redis. Groups that a worker
 * takes at once are not packed, because packing takes time.
 */
export interface PackedGroup extends Omit<ActionGroup, 'actions'> {
  /** The list of actions (queue: packed-actions.ts). */
  readonly packed: string;
}

/** The rejected requests that were enqueued together: one job of the queue `refusals`. */
export interface RefusalGroup {
  readonly v: GroupVersion;
  readonly group_id: string;
  /** The same as in an ActionGroup. */
  readonly letter_id?: string;
  readonly refusals: readonly RefusedRequest[];
}

/** An action that can never be applied: one job of the queue `dead-letters`, with the id of its delivery. */
export interface DeadLetter {
  readonly v: GroupVersion;
  /** Milliseconds since the Unix epoch. */
  readonly failed_at: number;
  readonly reason: string;
  /** The unchanged content of the job. This version may not be able to read it. */
  readonly action: unknown;
  /** The request was rejected: it must be logged, not applied. */
  readonly refused?: true;
}
