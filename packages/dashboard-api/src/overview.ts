import { PROBLEMS, type ProblemCode } from '@sluice/contract/problem/problem';
import * as z from 'zod';
import { instantText } from './common.ts';

const PROBLEM_CODES = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]];

export const RANGES = ['1h', '24h', '7d', '30d'] as const;
export type Range = (typeof RANGES)[number];

export const overviewQuery = z.object({ range: z.enum(RANGES).optional() });
export type OverviewQuery = z.input<typeof overviewQuery>;

const percentiles = z.object({
  p50: z.number().nullable(),
  p95: z.number().nullable(),
  p99: z.number().nullable(),
});

/** Groups in the queues by state, and actions in the dead letter queue. Each is the maximum observed. */
export const queueByState = z.object({
  waiting: z.number(),
  active: z.number(),
  /** Delayed until a newer worker is available. */
  delayed: z.number(),
  dead_letters: z.number(),
});
export type QueueByState = z.infer<typeof queueByState>;

/** One time bucket. No bucket is omitted; the last one is still open. Percentiles are null if nothing was measured. */
export const overviewPoint = z.object({
  at: instantText,
  /** Requests by HTTP status, such as `{"200": 12, "401": 3}`. */
  by_status: z.record(z.string(), z.number()),
  /** Installation-wide: milliseconds from the request's headers to its response. */
  ingress_ms: percentiles,
  /** This account only: milliseconds from receipt until applied and logged. */
  lag_ms: percentiles,
  /** Installation-wide: the maximum number of waiting and active groups in the bucket. Null if nothing was sampled. */
  queue_depth: z.number().nullable(),
  /** The same by state. Also null if only the total was sampled. */
  queue: queueByState.nullable(),
  workers: z.number().nullable(),
});
export type OverviewPoint = z.infer<typeof overviewPoint>;

/** A problem that needs attention. The list starts with the most urgent. */
export const attention = z.discriminatedUnion('kind', [
  /** No worker runs, so accepted actions are not applied. */
  z.object({ kind: z.literal('no_worker') }),
  /**
   * No dispatcher reports that it can take turns, and messages to receivers are overdue. `overdue_ms`: for how long, over all
   * accounts, so only operators get it.
   */
  z.object({ kind: z.literal('no_dispatcher'), overdue_ms: z.number().nullable() }),
  /** A proxy sends client addresses, but TRUST_PROXY is false: all clients behind it share one limit. */
  z.object({ kind: z.literal('proxy_ignored') }),
  /**
   * Actions of this account that could not be applied. `partial`: not all letters of the installation were scanned, so the account may
   * have more. Absent: all were scanned.
   */
  z.object({ kind: z.literal('dead_letters'), count: z.number(), partial: z.boolean().optional() }),
  /** A source with many rejected requests in the last hour, and the most common reason. */
  z.object({
    kind: z.literal('refusals'),
    source_id: z.string(),
    name: z.string(),
    code: z.enum(PROBLEM_CODES),
    title: z.string(),
    count: z.number(),
    secret_rotated_at: instantText.nullable(),
    /** Requests in that hour that were rejected because they were signed with the previous secret. */
    old_secret_count: z.number(),
  }),
  z.object({
    kind: z.literal('key_expires'),
    key_id: z.string(),
    name: z.string(),
    prefix: z.string(),
    expires_at: instantText,
  }),
  /** An active source that was created more than an hour ago and never had a delivery. */
  z.object({
    kind: z.literal('never_delivered'),
    source_id: z.string(),
    name: z.string(),
    created_at: instantText,
  }),
  /** A webhook subscription that waits for an admin. `failing`: its receiver has failed for days. */
  z.object({
    kind: z.literal('subscription_paused'),
    subscription_id: z.string(),
    name: z.string(),
    reason: z.enum(['failing', 'key_revoked', 'key_expired']),
    paused_at: instantText,
  }),
  /** An active webhook subscription whose receiver has accepted nothing for a while, and messages wait for it. */
  z.object({
    kind: z.literal('subscription_retrying'),
    subscription_id: z.string(),
    name: z.string(),
    since: instantText,
    waiting: z.number(),
    /** The earliest time of the next attempt. null: one is running. */
    next_attempt_at: instantText.nullable(),
  }),
  /** Creates of webhook subscriptions that were rejected in the last 24 hours, and why the latest one was. */
  z.object({
    kind: z.literal('subscriptions_rejected'),
    count: z.number(),
    /** The User-Agent of the latest request. */
    client: z.string().nullable(),
    detail: z.string(),
    last_at: instantText,
  }),
]);
export type Attention = z.infer<typeof attention>;

export const overview = z.object({
  range: z.enum(RANGES),
  /** Length of a bucket in seconds: 1h: 60, 24h: 900, 7d: 3600, 30d: 21600. */
  bucket_seconds: z.number(),
  points: z.array(overviewPoint),
  totals: z.object({
    requests: z.number(),
    accepted: z.number(),
    refused: z.number(),
    ingress_ms: percentiles,
    lag_ms: percentiles,
  }),
  /** Highest count first. */
  refusals: z.array(z.object({ code: z.string(), title: z.string(), count: z.number() })),
  now: z.object({ queue_depth: z.number(), workers: z.number(), oldest_waiting_ms: z.number().nullable() }),
  plan: z.object({
    name: z.string(),
    /** Accepted upserts of this calendar month (UTC). */
    used: z.number(),
    limit: z.number().nullable(),
  }),
  /** Computed from counters and short lists, never from the log; at most 20. */
  attention: z.array(attention),
  /** The first-run checklist. */
  checklist: z.object({
    source: z.boolean(),
    delivery: z.boolean(),
    event: z.boolean(),
    api_key: z.boolean(),
  }),
});
export type Overview = z.infer<typeof overview>;
