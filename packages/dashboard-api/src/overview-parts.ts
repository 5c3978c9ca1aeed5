import { PROBLEMS, type ProblemCode } from '@sluice/contract/problem';
import * as z from 'zod';
import { instantInput, instantText } from './common.ts';

const PROBLEM_CODES = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]];

/** Which requests of the account: those of a time and, where given, of one status, of a class of them or of one code. */
export const partsQuery = z.object({
  /** Counters are by the minute for a day, by the hour before: a time is widened to whole ones. */
  from: instantInput,
  /** Excluded. */
  to: instantInput,
  status: z.coerce.number().int().min(100).max(599).optional(),
  status_class: z.enum(['2xx', '4xx', '5xx']).optional(),
  code: z.enum(PROBLEM_CODES).optional(),
});
export type PartsQuery = z.input<typeof partsQuery>;
export type ParsedPartsQuery = z.output<typeof partsQuery>;

/** The requests by the source they came to, most first: where a bar of a chart leads. */
export const overviewParts = z.object({
  from: instantText,
  to: instantText,
  /** At most 50. */
  items: z.array(z.object({ source_id: z.string(), name: z.string(), count: z.number() })),
  /** Of all sources. */
  count: z.number(),
});
export type OverviewParts = z.infer<typeof overviewParts>;

/** A day (UTC) that the delivery log still holds. */
export const logDay = z.object({
  from: instantText,
  to: instantText,
  requests: z.number(),
  refused: z.number(),
});
export type LogDay = z.infer<typeof logDay>;

/** Oldest first, today last: as many as deliveries are kept, 30 at most. */
export const logDays = z.object({ items: z.array(logDay) });
export type LogDays = z.infer<typeof logDays>;
