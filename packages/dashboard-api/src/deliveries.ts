import { ACTION_KINDS } from '@sluice/contract/action';
import { DELIVERY_ORIGINS, OUTCOMES } from '@sluice/contract/delivery';
import { PROBLEMS, type ProblemCode } from '@sluice/contract/problem';
import * as z from 'zod';
import { instantInput, instantText, pageOf, pageQuery } from './common.ts';

const PROBLEM_CODES = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]];

/** One row of the delivery log. The first four of the spec: received_at, action, http_status, title. */
export const deliveryItem = z.object({
  delivery_id: z.string(),
  source_id: z.string(),
  received_at: instantText,
  action: z.enum(ACTION_KINDS).nullable(),
  http_status: z.number(),
  title: z.string().nullable(),
  outcome: z.enum(OUTCOMES),
  /** The problem code of a refusal; null where the answer was 200. */
  code: z.enum(PROBLEM_CODES).nullable(),
  /** From receipt until it was applied and logged; null where that is not known. */
  latency_ms: z.number().nullable(),
  /** How many requests the row stands for: more than 1 where refusals were counted instead of logged one by one. */
  count: z.number(),
  request_id: z.string().nullable(),
  event_id: z.string().nullable(),
  duplicate_of: z.string().nullable(),
  /** The delivery that this one repeats on an admin's request. */
  reprocess_of: z.string().nullable(),
  origin: z.enum(DELIVERY_ORIGINS),
  reason: z.string().nullable(),
  /** Size of the body; null where the request was not kept. */
  bytes: z.number().nullable(),
  /** Its place in the order of admission, and in the log among those received in the same millisecond; null of a refusal. */
  sequence: z.number().nullable(),
});
export type DeliveryItem = z.infer<typeof deliveryItem>;

export const deliveryPage = pageOf(deliveryItem);
export type DeliveryPage = z.infer<typeof deliveryPage>;

const filterShape = {
  source_id: z.string(),
  status_class: z.enum(['2xx', '4xx', '5xx']).optional(),
  /** Exact HTTP status. */
  status: z.coerce.number().int().min(100).max(599).optional(),
  code: z.enum(PROBLEM_CODES).optional(),
  action: z.enum(ACTION_KINDS).optional(),
  outcome: z.enum(OUTCOMES).optional(),
  /** From this instant on. */
  from: instantInput.optional(),
  /** Before this instant. */
  to: instantInput.optional(),
  /** Part of the title, whatever its case. */
  title: z.string().max(200).optional(),
  event_id: z.string().optional(),
};

/** Which deliveries: all conditions at once. */
export const deliveryFilter = z.object(filterShape);
export type DeliveryFilter = z.input<typeof deliveryFilter>;
export type ParsedDeliveryFilter = z.output<typeof deliveryFilter>;

/** Newest first. */
export const deliveryQuery = z.object({ ...filterShape, ...pageQuery.shape });
export type DeliveryQuery = z.input<typeof deliveryQuery>;

export const EXPORT_FORMATS = ['ndjson', 'csv'] as const;

/** GET /deliveries/export answers with a file: a line for each row that matches, newest first, as in the list. */
export const deliveryExport = z.object({ ...filterShape, format: z.enum(EXPORT_FORMATS) });
export type DeliveryExport = z.input<typeof deliveryExport>;

/** The request as it was kept. Headers: only these, the signature shortened. */
export const keptRequest = z.object({
  method: z.literal('POST'),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable(),
  bytes: z.number().nullable(),
});

export const BODY_ABSENT = [
  // An import or an admin made it.
  'no_request',
  'not_signed',
  'too_large',
  'switched_off',
  'failures_only',
  'not_text',
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

/** One delivery with all that is known of it. */
export const deliveryDetail = z.object({
  delivery: deliveryItem,
  request: keptRequest,
  /** Why `request.body` is null; null where it is there. */
  body_absent: z.enum(BODY_ABSENT).nullable(),
  /** What the sender got. */
  answer: z.object({ status: z.number(), content_type: z.string(), body: z.string() }),
  timeline: z.array(timelineStep),
  /** For refusals and failures: what went wrong and the fix, for people. */
  why: z
    .object({
      title: z.string(),
      what: z.string(),
      fix: z.string(),
      /** The checks of the webhook in their order, up to the one that failed. */
      checks: z.array(z.object({ name: z.string(), passed: z.boolean() })),
    })
    .nullable(),
  /** The delivery before this one of the same event; null where there is none, or no event. */
  previous: z.string().nullable(),
  /** Deliveries that repeat this one on request, oldest first. */
  reprocessed_as: z.array(z.string()),
  not_reprocessable: z.enum(NOT_REPROCESSABLE).nullable(),
  /** When the delivery log lets go of it. */
  leaves_at: instantText,
});
export type DeliveryDetail = z.infer<typeof deliveryDetail>;

export const deliveryCount = z.object({
  matching: z.number(),
  /** Of these, how many can be reprocessed. */
  reprocessable: z.number(),
});
export type DeliveryCount = z.infer<typeof deliveryCount>;

/** How many rows the delivery log of a source has; counted up to 10,000, `more` says that there are others. */
export const logSize = z.object({ rows: z.number(), more: z.boolean() });
export type LogSize = z.infer<typeof logSize>;
export type LogSizeQuery = LiveQuery;

export const reprocessed = z.object({ delivery_id: z.string(), reprocess_of: z.string() });
export type Reprocessed = z.infer<typeof reprocessed>;

/** Reprocesses all that match and can be, the oldest first; 409 `conflict` for more than REPROCESS_LIMIT. */
export const reprocessMatching = z.object({
  filter: deliveryFilter,
  /** `reprocessable` as it was shown to whoever confirmed; 409 `count_changed` where it is no longer true. */
  expected: z.number().int().min(0),
});
export type ReprocessMatching = z.input<typeof reprocessMatching>;

export const reprocessedMany = z.object({
  reprocessed: z.number(),
  /** Could not be, such as for being over the rate or the plan. */
  refused: z.number(),
});
export type ReprocessedMany = z.infer<typeof reprocessedMany>;

/**
 * GET /deliveries/live?source_id=… answers with server-sent events. Each has an `id`; a browser sends the last one it
 * saw as Last-Event-ID when it reconnects and gets what it missed.
 * - `deliveries`: LiveDeliveries, newest last.
 * - `missed`: more has happened than is kept for this; load the list anew.
 */
export const liveDeliveries = z.object({
  items: z.array(deliveryItem),
  /** How many more there were in the account that are not sent: some may be this source's. */
  omitted: z.number(),
});
export type LiveDeliveries = z.infer<typeof liveDeliveries>;
export const liveQuery = z.object({ source_id: z.string() });
export type LiveQuery = z.infer<typeof liveQuery>;
