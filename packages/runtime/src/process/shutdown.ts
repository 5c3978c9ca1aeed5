import { PortRefusedError } from '../http/listen.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { ReleaseReport, Releasers } from './releasers.ts';

export interface ShutdownSettings {
  readonly releasers: Releasers;
  readonly logger: Logger;
  /** All releases together may take this long; then the process ends regardless. */
  readonly graceMs: number;
  /** Called once, as the stop begins: the place to tell the world that no more work is taken. */
  readonly onStop?: (reason: string) => void;
  /** Ends the process. Without a report the grace period is over. */
  readonly exit?: (code: number, report?: ReleaseReport) => void;
}

/** Stops as a signal would; `failed` makes the exit code 1. */
export type Stop = (reason: string, failed?: boolean) => Promise<void>;

/**
 * Ends the process in order: on SIGTERM, SIGINT and SIGHUP, when the launcher that started it is gone, and on an
 * error that nobody caught. Exit code 0 when all was released in time, else 1. Returns the stop itself.
 */
export function stopOnSignal({
  releasers,
  logger,
  graceMs,
  onStop,
  exit = (code) => process.exit(code),
}: ShutdownSettings): Stop {
  let stopping: Promise<void> | undefined;

  async function run(reason: string, failed: boolean): Promise<void> {
    logger.info({ reason }, 'stopping');
    onStop?.(reason);
    const graceOver = setTimeout(() => {
      logger.error({ grace_ms: graceMs }, 'not stopped within the grace period');
      exit(1);
    }, graceMs);
    const report = await releasers.release();
    clearTimeout(graceOver);
    const { clean, ...unclean } = report;
    if (clean) logger.info({ reason, clean }, 'stopped');
    else logger.warn({ reason, clean, ...unclean }, 'stopped');
    exit(failed || !clean ? 1 : 0, report);
  }

  // A second signal changes nothing: the first stop is under way and bounded.
  const stop: Stop = (reason, failed = false) => (stopping ??= run(reason, failed));
  const crash = (error: unknown, origin: string) => {
    if (error instanceof PortRefusedError) {
      // Whoever set the port can mend it; a stack would hide the sentence that says how.
      logger.fatal({ event: 'port.refused' }, error.message);
      return void stop('port refused', true);
    }
    logger.fatal({ err: error, origin }, 'an error that nobody caught');
    void stop(origin, true);
  };

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop(signal));
  // Only a child with an IPC channel gets this event: a launcher that was killed leaves no orphan.
  process.on('disconnect', () => void stop('launcher gone'));
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', (error) => crash(error, 'unhandledRejection'));
  return stop;
}
