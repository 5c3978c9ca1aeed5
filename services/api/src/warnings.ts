import { isUnexpected } from '@sluice/outbound/publish/is-unexpected';
import type { Logger } from '@sluice/runtime/telemetry/logger';

/** Logs failures of work in the background, which no response can report. */
export interface Warnings {
  /** Logs each failure as this event. */
  warn(event: string): (error: unknown) => void;
  /** The same without those of an absent MongoDB: its connection logs that once. */
  warnUnexpected(event: string): (error: unknown) => void;
}

export function createWarnings(logger: Pick<Logger, 'warn'>): Warnings {
  const warn = (event: string) => (error: unknown) =>
    logger.warn({ event, err: error }, 'background task failed; the API continues');
  return {
    warn,
    warnUnexpected: (event) => (error) => {
      if (isUnexpected(error)) warn(event)(error);
    },
  };
}
