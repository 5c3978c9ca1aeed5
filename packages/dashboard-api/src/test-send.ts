import * as z from 'zod';
import { BREAKS, type Break } from './breaks.ts';

const BREAK_NAMES = Object.keys(BREAKS) as [Break, ...Break[]];

/** The server signs the body unchanged and sends it through the real ingress. */
export const testSend = z.object({ body: z.string().max(256 * 1024), break: z.enum(BREAK_NAMES) });
export type TestSend = z.infer<typeof testSend>;

export const testSent = z.object({
  /** The request as sent, with the signature shortened. */
  request: z.object({ url: z.string(), headers: z.record(z.string(), z.string()), body: z.string() }),
  answer: z.object({
    status: z.number(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
    duration_ms: z.number(),
  }),
});
export type TestSent = z.infer<typeof testSent>;
