import {
  DELIVERY_ACTIONS,
  DELIVERY_ORIGINS,
  OUTCOMES,
  UNAPPLIED,
  type UnappliedCode,
} from '@sluice/contract/delivery/delivery';
import { PROBLEMS, type ProblemCode } from '@sluice/contract/problem/problem';
import * as z from 'zod';
import { instantInput, instantText, pageOf, pageQuery } from './common.ts';

const UNAPPLIED_CODES = Object.keys(UNAPPLIED) as [UnappliedCode, ...UnappliedCode[]];
const PROBLEM_CODES = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]];

/** One row of the delivery log. */
export const deliveryItem = z.object({
  delivery_id: z.string(),
  source_id: z.string(),
  received_at: instantText,
  action: z.enum(DELIVERY_ACTIONS).nullable(),
  http_status: z.number(),
  title: z.string().nullable(),
  outcome: z.enum(OUTCOMES),
  /** The problem code of a rejected request; null if the response was 200. */
  code: z.enum(PROBLEM_CODES).nullable(),
  /** Why a request of another sender with a 200 was not applied; null if it was applied or rejected. */
  unapplied: z.enum(UNAPPLIED_CODES).nullable(),
  /** The preset of the sender whose body a mapping has read; null: the body is an action. */
  preset: z.string().nullable(),
  /** The number of the mapping in its source; null: none. */
  mapping_version: z.number().nullable(),
  /** The index of the rule that decided; null: none. */
  rule: z.number().nullable(),
  /** Milliseconds from receipt until the action was applied and logged; null if unknown. */
  latency_ms: z.number().nullable(),
  /** How many requests the row represents: more than 1 if rejected requests were counted instead of logged. */
  count: z.number(),
  request_id: z.string().nullable(),
  event_id: z.string().nullable(),
  /** The sender's id of the event; null: the action has none. */
  external_id: z.string().nullable(),
  /** Only a delivery of a channel has one. */
  conversation_id: z.string().nullable(),
  duplicate_of: z.string().nullable(),
  /** The delivery that an admin reprocessed to create this one. */
  reprocess_of: z.string().nullable(),
  origin: z.enum(DELIVERY_ORIGINS),
  reason: z.string().nullable(),
  /** Size of the body in bytes; null if the request was not stored. */
  bytes: z.number().nullable(),
  /** Position in the order of admission. Also orders rows of the same millisecond. Null for a rejected request. */
  sequence: z.number().nullable(),
});
export type DeliveryItem = z.infer<typeof deliveryItem>;

export const deliveryPage = pageOf(deliveryItem);
export type DeliveryPage = z.infer<typeof deliveryPage>;

const filterShape = {
  status_class: z.enum(['2xx', '4xx', '5xx']).optional(),
  /** Exact HTTP status. */
  status: z.coerce.number().int().min(100).max(599).optional(),
  code: z.enum(PROBLEM_CODES).optional(),
  action: z.enum(DELIVERY_ACTIONS).optional(),
  outcome: z.enum(OUTCOMES).optional(),
  /** Inclusive. */
  from: instantInput.optional(),
  /** Exclusive. */
  to: instantInput.optional(),
  /** Part of the title, case-insensitive. */
  title: z.string().max(200).optional(),
  event_id: z.string().optional(),
  /** `requests`: rows of requests. `changes`: rows that an import or an admin made. */
  made_by: z.enum(['requests', 'changes']).optional(),
};

/** Without a source, the rows of all sources and channels. */
const anySource = { source_id: z.string().optional(), ...filterShape };

/** Selects deliveries of a source that match all conditions. */
export const deliveryFilter = z.object({ source_id: z.string(), ...filterShape });
export type DeliveryFilter = z.input<typeof deliveryFilter>;
export type ParsedDeliveryFilter = z.output<typeof deliveryFilter>;

/** Newest first. */
export const deliveryQuery = z.object({ ...anySource, ...pageQuery.shape });
export type DeliveryQuery = z.input<typeof deliveryQuery>;

export const EXPORT_FORMATS = ['ndjson', 'csv'] as const;

/** GET /deliveries/export responds with a file: one line per matching row, newest first, as in the list. */
export const deliveryExport = z.object({ ...anySource, format: z.enum(EXPORT_FORMATS) });
export type DeliveryExport = z.input<typeof deliveryExport>;

/** The stored request. Only these headers are stored, and the signature is shortened. A rejected one has its client address. */
export const keptRequest = z.object({
  method: z.literal('POST'),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable(),
  bytes: z.number().nullable(),
  address: z.string().nullable(),
});

export const BODY_ABSENT = [
  // An import or an admin created the delivery.
  'no_request',
  'not_signed',
  'too_large',
  'switched_off',
  'failures_only',
  'not_text',
  // A rejection that asks the sender to retry, such as 429.
  'sent_again',
  'counted',
  'not_kept',
] as const;

/** Why a delivery cannot be reprocessed. */
export const NOT_REPROCESSABLE = [
  'not_verified',
  'no_request',
  'no_body',
  'not_an_action',
  'counted',
] as const;

export const timelineStep = z.object({
  step: z.enum(['received', 'admitted', 'applied', 'refused', 'failed']),
  at: instantText,
});

/** An event that a cancel or delete nearly named. */
export const nearEvent = z.object({
  event_id: z.string(),
  title: z.string(),
  starts_at: instantText,
  location: z.string().nullable(),
  external_id: z.string().nullable(),
  deleted: z.boolean(),
  /** A sentence for each difference; empty if the event is the same, and was deleted or has an `external_id`. */
  differs: z.array(z.string()),
});
export type NearEvent = z.infer<typeof nearEvent>;

/** One delivery with everything that is known about it. */
export const deliveryDetail = z.object({
  delivery: deliveryItem,
  request: keptRequest,
  /** Why `request.body` is null; null if the body is present. */
  body_absent: z.enum(BODY_ABSENT).nullable(),
  /** The response that the sender received. */
  answer: z.object({ status: z.number(), content_type: z.string(), body: z.string() }),
  timeline: z.array(timelineStep),
  /** For deliveries that were rejected, failed or changed nothing: what happened and how to fix it, for people. */
  why: z
    .object({
      title: z.string(),
      what: z.string(),
      fix: z.string(),
      /** The webhook's checks in order, up to the one that failed. */
      checks: z.array(z.object({ name: z.string(), passed: z.boolean() })),
      /** Other deliveries that explain it. */
      links: z.array(z.object({ words: z.string(), delivery_id: z.string() })),
      /** Events that a `not_found` nearly named, nearest first. */
      near: z.array(nearEvent),
    })
    .nullable(),
  /** The previous delivery of the same event; null if there is no event or no earlier delivery. */
  previous: z.string().nullable(),
  /** Deliveries that were created by reprocessing this one, oldest first. */
  reprocessed_as: z.array(z.string()),
  not_reprocessable: z.enum(NOT_REPROCESSABLE).nullable(),
  /** When retention deletes the delivery from the log. */
  leaves_at: instantText,
});
export type DeliveryDetail = z.infer<typeof deliveryDetail>;

export const deliveryCount = z.object({
  matching: z.number(),
  /** How many of the matching deliveries can be reprocessed. */
  reprocessable: z.number(),
  /** How many of these were reprocessed before; null if more than REPROCESS_LIMIT can be reprocessed. */
  done: z.number().nullable(),
});
export type DeliveryCount = z.infer<typeof deliveryCount>;

/** How many rows match. Counts up to 10,000; `more` is true if there are more. */
export const logSizeQuery = z.object(anySource);
export const logSize = z.object({ rows: z.number(), more: z.boolean() });
export type LogSize = z.infer<typeof logSize>;
export type LogSizeQuery = z.input<typeof logSizeQuery>;

export const reprocessed = z.object({ delivery_id: z.string(), reprocess_of: z.string() });
export type Reprocessed = z.infer<typeof reprocessed>;

/**
 * Reprocesses the matching deliveries that can be, oldest first. One request reprocesses up to 200 of them. Send it
 * again with `after` until `next` is null. 409 `conflict` for more than REPROCESS_LIMIT.
 */
export const reprocessMatching = z.object({
  filter: deliveryFilter,
  /** `reprocessable` as shown to the admin who confirmed. 409 `count_changed` if it has changed since. */
  expected: z.number().int().min(0),
  /** Skips what was reprocessed before. A request that is sent twice then has one effect. */
  skip_done: z.boolean().optional(),
  /** `next` of the previous response. */
  after: z.string().max(1000).optional(),
});
export type ReprocessMatching = z.input<typeof reprocessMatching>;

export const reprocessedMany = z.object({
  reprocessed: z.number(),
  /** Deliveries that were not reprocessed. `reasons` has the reason of each. */
  refused: z.number(),
  /** Deliveries that were reprocessed before. */
  skipped: z.number(),
  reasons: z.array(z.object({ detail: z.string(), deliveries: z.number() })),
  /** Continues with the deliveries that are left; null if none is left. */
  next: z.string().nullable(),
  /** Set if nothing more can be enqueued at the moment: send `next` after so many seconds. */
  retry_after_seconds: z.number().nullable(),
});
export type ReprocessedMany = z.infer<typeof reprocessedMany>;

/** Selects what came into the log of a source, or of all without one. */
export const deliveryChangesQuery = z.object({
  source_id: z.string().optional(),
  since: instantInput.optional(),
});
export type DeliveryChangesQuery = z.input<typeof deliveryChangesQuery>;

/**
 * The newest rows that were received since a time, and some before it. `until` is the next `since`. A row appears more than once,
 * and one that was written late is among them for half a minute, unless more has come than the response contains.
 */
export const deliveryChanges = z.object({
  items: z.array(deliveryItem),
  /** More has come than the response contains. Reload the list. */
  more: z.boolean(),
  until: instantText,
});
export type DeliveryChanges = z.infer<typeof deliveryChanges>;
