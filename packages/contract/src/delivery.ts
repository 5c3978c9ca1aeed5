import type { ActionKind } from './action.ts';
import { IMPORT_FORMATS } from './event-fields.ts';
import type { ProblemCode } from './problem.ts';

/** What became of a delivery (design: Sequence numbers and the fold). */
export const OUTCOMES = [
  'created',
  'updated',
  'cancelled',
  'deleted',
  'not_found',
  'superseded',
  'duplicate',
  'rejected',
  'failed',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What is kept of a request whose signature held, so that it can be looked at and reprocessed. */
export interface KeptRequest {
  readonly content_type: string;
  readonly user_agent: string;
  /** As in its header. */
  readonly timestamp: string;
  /** The first characters of the signature: enough to compare, worth nothing. */
  readonly signature_start: string;
  readonly bytes: number;
  /** The body as sent; null where it is larger than what is kept, or not UTF-8. */
  readonly body: string | null;
}

/** Where a delivery came from: a request to the webhook, something an admin did in the dashboard, or an import. */
export const DELIVERY_ORIGINS = ['webhook', 'dashboard', ...IMPORT_FORMATS] as const;
export type DeliveryOrigin = (typeof DELIVERY_ORIGINS)[number];

/**
 * Which secret a request was signed with, where it was not the current one and the secret before is still known
 * (source-record.ts): that one, or neither of the two.
 */
export const SIGNED_WITH = ['previous', 'neither'] as const;
export type SignedWith = (typeof SIGNED_WITH)[number];

/** One row of the delivery log: one request to the webhook endpoint, or the count of many alike. */
export interface Delivery {
  readonly delivery_id: string;
  readonly source_id: string;
  readonly account_id: string;
  /** Milliseconds since the Unix epoch, by the clock of the ingress that received it. */
  readonly received_at: number;
  /** null where the request was refused before its body could be trusted. */
  readonly action: ActionKind | null;
  readonly title: string | null;
  readonly http_status: number;
  readonly outcome: Outcome;
  /** The problem code of a refusal; null where the answer was 200. */
  readonly code: ProblemCode | null;
  /** Absent (null) in a row that counts many requests. */
  readonly request_id: string | null;
  /** The order in which the source's requests were admitted; null where it was not admitted. */
  readonly sequence: number | null;
  readonly event_id: string | null;
  /** The first delivery of the byte-identical request. */
  readonly duplicate_of: string | null;
  /** Why a delivery failed or was refused, in a sentence for the account's admins. */
  readonly reason: string | null;
  /** How many requests the row stands for; 1 but for counter rows. */
  readonly count: number;
  /** Absent means webhook. */
  readonly origin?: DeliveryOrigin;
  /** The delivery that this one repeats on an admin's request. */
  readonly reprocess_of?: string;
  /** Absent: the current secret, or not known. */
  readonly signed_with?: SignedWith;
  /** When it was applied and logged, milliseconds since the Unix epoch by the clock of the worker. */
  readonly applied_at?: number;
  /** Absent where the signature did not hold, or the source keeps no bodies. */
  readonly request?: KeptRequest;
}

/** A row as lists have it: of the kept request, its size alone. */
export interface ListedDelivery extends Omit<Delivery, 'request'> {
  readonly request?: Pick<KeptRequest, 'bytes'>;
}
