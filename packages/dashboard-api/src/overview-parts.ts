import { PROBLEMS, type ProblemCode } from '@sluice/contract/problem/problem';
import * as z from 'zod';
import { instantInput, instantText } from './common.ts';

const PROBLEM_CODES = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]];

/** Selects requests of the account by time and, optionally, by status, status class or code. */
export const partsQuery = z.object({
  /** Counters are per minute for a day, and per hour before that. The range is widened to whole intervals. */
  from: instantInput,
  /** Exclusive. */
  to: instantInput,
  status: z.coerce.number().int().min(100).max(599).optional(),
  status_class: z.enum(['2xx', '4xx', '5xx']).optional(),
  code: z.enum(PROBLEM_CODES).optional(),
});
export type PartsQuery = z.input<typeof partsQuery>;
export type ParsedPartsQuery = z.output<typeof partsQuery>;

/** Requests by source, highest count first. A click on a bar of a chart leads here. */
export const overviewParts = z.object({
  from: instantText,
  to: instantText,
  /** At most 50. */
  items: z.array(z.object({ source_id: z.string(), name: z.string(), count: z.number() })),
  /** Requests across all sources. */
  count: z.number(),
});
export type OverviewParts = z.infer<typeof overviewParts>;

/** A day (UTC) that is still in the delivery log. */
export const logDay = z.object({
  from: instantText,
  to: instantText,
  requests: z.number(),
  refused: z.number(),
});
export type LogDay = z.infer<typeof logDay>;

/** Oldest first, today last. Covers the retention of deliveries, at most 30 days. */
export const logDays = z.object({ items: z.array(logDay) });
export type LogDays = z.infer<typeof logDays>;
