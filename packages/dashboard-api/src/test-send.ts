import * as z from 'zod';

/** Errors that a test request can simulate, to see how the webhook responds. */
export const BREAKS = {
  none: 'Valid request',
  bad_signature: 'Wrong signature',
  no_signature: 'No signature header',
  old_timestamp: 'Signed six minutes ago',
  milliseconds: 'Timestamp in milliseconds',
  missing_title: 'No title',
  no_offset: 'starts_at without an offset (accepted: read as UTC)',
  bad_date: 'A date that does not exist',
  broken_json: 'Broken JSON',
  twice: 'The same request twice',
} as const;
export type Break = keyof typeof BREAKS;

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
