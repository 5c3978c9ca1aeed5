import * as z from 'zod';
import { HOUR_MS } from '../time/durations.ts';

/** A source whose last report is older than this begins a new episode, which owners are mailed about. Milliseconds. */
export const EPISODE_ENDS_MS = 2 * HOUR_MS;

/** A source is reported once it has this many refusals within this time, and then not again for an hour. */
export const REFUSING = { refusals: 20, withinMinutes: 5, quietMs: 3_600_000 } as const;

const instant = z.string().meta({ format: 'date-time', description: 'ISO 8601, in UTC.' });

/** A source that refuses many requests, as messages of the kind `source.refusing` contain it. */
export const sourceRefusing = z.object({
  id: z.string().meta({ description: 'Id of the source or channel.' }),
  source_id: z.string().meta({ description: 'The same id.' }),
  name: z.string().nullable(),
  refusals: z.number().int().meta({ description: 'Refused requests since `since`.' }),
  codes: z
    .array(z.object({ code: z.string(), count: z.number().int() }))
    .meta({ description: 'The reasons (docs/errors.md), the most frequent one first.' }),
  since: instant,
  at: instant,
});
export type SourceRefusingRecord = z.infer<typeof sourceRefusing>;
