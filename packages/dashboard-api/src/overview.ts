import { PROBLEMS, type ProblemCode } from '@sluice/contract/problem';
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

/** Groups in the queues by state, and actions in the dead letter queue; of each the most that was seen. */
export const queueByState = z.object({
  waiting: z.number(),
  active: z.number(),
  /** Put off for a newer worker. */
  delayed: z.number(),
  dead_letters: z.number(),
});
export type QueueByState = z.infer<typeof queueByState>;

/** One bucket of time; all are there, the last one is not over yet. Percentiles are null where nothing was measured. */
export const overviewPoint = z.object({
  at: instantText,
  /** Requests by HTTP status, such as `{"200": 12, "401": 3}`. */
  by_status: z.record(z.string(), z.number()),
  /** Of this installation: from the request's headers until its answer, in milliseconds. */
  ingress_ms: percentiles,
  /** Of this account: from receipt until applied and logged, in milliseconds. */
  lag_ms: percentiles,
  /** Of this installation: the most groups seen in the bucket, waiting or being worked on, and workers; null where nobody looked. */
  queue_depth: z.number().nullable(),
  /** The same by state; null also where it was only added up. */
  queue: queueByState.nullable(),
  workers: z.number().nullable(),
});
export type OverviewPoint = z.infer<typeof overviewPoint>;

/** Something that somebody should look at, the most pressing first. */
export const attention = z.discriminatedUnion('kind', [
  /** Nothing that was accepted is applied. */
  z.object({ kind: z.literal('no_worker') }),
  /** A proxy names client addresses, and TRUST_PROXY is false: limits count all clients behind it as one. */
  z.object({ kind: z.literal('proxy_ignored') }),
  /** Actions of this account that could not be applied, as far as they were counted. */
  z.object({ kind: z.literal('dead_letters'), count: z.number() }),
  /** A source of which much was refused in the last hour, with the commonest reason. */
  z.object({
    kind: z.literal('refusals'),
    source_id: z.string(),
    name: z.string(),
    code: z.enum(PROBLEM_CODES),
    title: z.string(),
    count: z.number(),
    secret_rotated_at: instantText.nullable(),
    /** Refused in that hour as they were signed with the secret before its last rotation. */
    old_secret_count: z.number(),
  }),
  z.object({
    kind: z.literal('key_expires'),
    key_id: z.string(),
    name: z.string(),
    prefix: z.string(),
    expires_at: instantText,
  }),
  /** An active source that was made more than an hour ago and never had a delivery. */
  z.object({
    kind: z.literal('never_delivered'),
    source_id: z.string(),
    name: z.string(),
    created_at: instantText,
  }),
]);
export type Attention = z.infer<typeof attention>;

export const overview = z.object({
  range: z.enum(RANGES),
  /** Length of a bucket: 1h: 60, 24h: 900, 7d: 3600, 30d: 21600. */
  bucket_seconds: z.number(),
  points: z.array(overviewPoint),
  totals: z.object({
    requests: z.number(),
    accepted: z.number(),
    refused: z.number(),
    ingress_ms: percentiles,
    lag_ms: percentiles,
  }),
  /** Most first. */
  refusals: z.array(z.object({ code: z.string(), title: z.string(), count: z.number() })),
  now: z.object({ queue_depth: z.number(), workers: z.number(), oldest_waiting_ms: z.number().nullable() }),
  plan: z.object({
    name: z.string(),
    /** Accepted upserts of this calendar month (UTC). */
    used: z.number(),
    limit: z.number().nullable(),
  }),
  /** From counters and lists alone; at most 20. */
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
