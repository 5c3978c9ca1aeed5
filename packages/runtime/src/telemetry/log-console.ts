import { format } from 'node:util';
import type { Logger } from './logger.ts';

/** The most different messages to log. Libraries have few. */
const MOST = 100;

/**
 * Logs what libraries write with `console.warn` and `console.error`, each message once. ioredis and BullMQ write plain text at
 * every reconnect, and a reader of JSON lines could not parse it.
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
