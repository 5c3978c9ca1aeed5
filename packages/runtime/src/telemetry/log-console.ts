import { format } from 'node:util';
import type { Logger } from './logger.ts';

/** So many different sentences; libraries have few. */
const MOST = 100;

/**
 * What libraries write with `console.warn` and `console.error` becomes a line of the log, each sentence once: ioredis and
 * BullMQ write at every reconnect, and whoever reads the log as JSON could not read theirs.
 */
export function logConsole(logger: Logger, written: Pick<Console, 'warn' | 'error'> = console): void {
  const seen = new Set<string>();
  const log = (...args: unknown[]) => {
    const text = format(...args);
    if (seen.has(text) || seen.size >= MOST) return;
    seen.add(text);
    logger.warn({ event: 'library.warning' }, text);
  };
  written.warn = log;
  written.error = log;
}
