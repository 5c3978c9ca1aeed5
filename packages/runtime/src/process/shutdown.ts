import { PortRefusedError } from '../http/listen.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { ReleaseReport, Releasers } from './releasers.ts';

export interface ShutdownSettings {
  readonly releasers: Releasers;
  readonly logger: Logger;
  /** The time for all releases together, in milliseconds. Then the process ends regardless. */
  readonly graceMs: number;
  /** Called once when the stop begins. Announce here that no new work is accepted. */
  readonly onStop?: (reason: string) => void;
  /** Ends the process. Without a report, the grace period is over. */
  readonly exit?: (code: number, report?: ReleaseReport) => void;
}

/** Stops as a signal does. `failed` makes the exit code 1. */
export type Stop = (reason: string, failed?: boolean) => Promise<void>;

/**
 * Ends the process in order: on SIGTERM, SIGINT and SIGHUP, when its launcher is gone, and on an uncaught error.
 * The exit code is 0 when everything was released in time, else 1. Returns a function that starts the same stop.
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

  // A second signal changes nothing, because the first stop is under way and bounded.
  const stop: Stop = (reason, failed = false) => (stopping ??= run(reason, failed));
  const crash = (error: unknown, origin: string) => {
    if (error instanceof PortRefusedError) {
      // The message says how to fix the port. A stack would hide it.
      logger.fatal({ event: 'port.refused' }, error.message);
      return void stop('port refused', true);
    }
    logger.fatal({ err: error, origin }, 'an error that nobody caught');
    void stop(origin, true);
  };

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop(signal));
  // Only a child with an IPC channel gets this event. So a killed launcher leaves no orphan.
  process.on('disconnect', () => void stop('launcher gone'));
  // The launcher was killed while our modules loaded. Without a channel, this is undefined.
  if (process.connected === false) void stop('launcher gone');
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', (error) => crash(error, 'unhandledRejection'));
  return stop;
}
