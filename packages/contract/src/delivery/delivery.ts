import { CONVERSATION_ACTION_KINDS } from '../conversation/conversation-action.ts';
import { ACTION_KINDS } from '../event/action.ts';
import { IMPORT_FORMATS } from '../event/event-fields.ts';
import type { ProblemCode } from '../problem/problem.ts';

/** The actions of a delivery, of events and of conversations. */
export const DELIVERY_ACTIONS = [...ACTION_KINDS, ...CONVERSATION_ACTION_KINDS] as const;
export type DeliveryAction = (typeof DELIVERY_ACTIONS)[number];

/** The results of a delivery. */
export const OUTCOMES = [
  'created',
  'updated',
  'cancelled',
  'deleted',
  'not_found',
  'superseded',
  'duplicate',
  'rejected',
  'ignored',
  'failed',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The stored parts of a request, for the dashboard and for reprocessing. The body needs a valid signature. */
export interface KeptRequest {
  readonly content_type: string;
  readonly user_agent: string;
  /** The timestamp header. */
  readonly timestamp: string;
  /** The first characters of the signature. They are enough to compare, and useless to an attacker. */
  readonly signature_start: string;
  /** 0 if a rejected request was not read. */
  readonly bytes: number;
  /** The body as sent; null if it is too large to store, not UTF-8, not signed, or if the source stores none. */
  readonly body: string | null;
  /** The client address of a rejected request. */
  readonly address?: string;
}

/** The origin of a delivery: a request to the webhook, an action of an admin in the dashboard, or an import. */
export const DELIVERY_ORIGINS = ['webhook', 'dashboard', ...IMPORT_FORMATS] as const;
export type DeliveryOrigin = (typeof DELIVERY_ORIGINS)[number];

/**
 * The secret of a request that was not signed with the current one, while the previous one is still known
 * (source-record.ts): the previous one, or neither of the two.
 */
export const SIGNED_WITH = ['previous', 'neither'] as const;
export type SignedWith = (typeof SIGNED_WITH)[number];

/**
 * Why a request of another sender was applied to no event although it got a 200, with the outcome of its row. A platform disables a
 * webhook that gets errors.
 */
export const UNAPPLIED = {
  no_rule: 'ignored',
  ignored_by_rule: 'ignored',
  mapping_failed: 'failed',
} as const;
export type UnappliedCode = keyof typeof UNAPPLIED;
/** These can be many, so a minute has a limited number of rows for them. */
export type IgnoredCode = Exclude<UnappliedCode, 'mapping_failed'>;

/** The mapping that read the body of another sender. */
export interface MappedBy {
  /** The preset of the sender. */
  readonly preset: string;
  /** The number of the mapping in its source. */
  readonly version: number;
  /** The index of the rule that decided. Absent: no rule matched, or the body is not JSON. */
  readonly rule?: number | undefined;
  /** The optional fields that were omitted because they are wrong, in sentences. */
  readonly note?: string | undefined;
}

/** One row of the delivery log: one request to the webhook endpoint, or the count of many alike. */
export interface Delivery {
  readonly delivery_id: string;
  readonly source_id: string;
  readonly account_id: string;
  /** Milliseconds since the Unix epoch, by the clock of the ingress that received it. */
  readonly received_at: number;
  /** null if the request was rejected before its body could be trusted. */
  readonly action: DeliveryAction | null;
  readonly title: string | null;
  readonly http_status: number;
  readonly outcome: Outcome;
  /** The problem code of a rejection; null for a 200, also for one that was not applied (`unapplied`). */
  readonly code: ProblemCode | null;
  /** Why a request with a 200 was not applied. Absent: it was, or it was rejected. */
  readonly unapplied?: UnappliedCode;
  /** Absent: no mapping read the body. */
  readonly mapped?: MappedBy;
  /** Absent (null) in a row that counts many requests. */
  readonly request_id: string | null;
  /** The order in which the source's requests were admitted; null if it was not admitted. */
  readonly sequence: number | null;
  readonly event_id: string | null;
  /** Only a delivery of a channel has it. */
  readonly conversation_id?: string;
  /** The sender's id of the event. Absent if its action has none. */
  readonly external_id?: string;
  /** The first delivery of the byte-identical request. */
  readonly duplicate_of: string | null;
  /** Why a delivery failed or was rejected, in a sentence for the account's admins. */
  readonly reason: string | null;
  /** The number of requests of the row: 1 except in counter rows. */
  readonly count: number;
  /** Absent means webhook. */
  readonly origin?: DeliveryOrigin;
  /** The delivery that an admin has reprocessed. */
  readonly reprocess_of?: string;
  /** Absent means the current secret, or an unknown one. */
  readonly signed_with?: SignedWith;
  /** When it was applied and logged. Milliseconds since the Unix epoch, by the clock of the worker. */
  readonly applied_at?: number;
  /** Absent for an accepted request if the source stores no bodies. */
  readonly request?: KeptRequest;
}

/** A row in a list. It has only the size of the stored request. */
export interface ListedDelivery extends Omit<Delivery, 'request'> {
  readonly request?: Pick<KeptRequest, 'bytes'>;
}
