import { open } from 'node:fs/promises';
import { MINUTE_MS, SECOND_MS } from '@sluice/contract/time/durations';
import type { Logger } from './logger.ts';

const EVERY_MS = 5 * SECOND_MS;

export interface FilesWatchDeps {
  readonly logger: Pick<Logger, 'error'>;
  readonly everyMs?: number;
}

/**
 * Logs once a minute that the process has no free file descriptor. Node does not report that: libuv accepts each new
 * connection and closes it at once, while those that are open go on.
 */
export function watchFiles({ logger, everyMs = EVERY_MS }: FilesWatchDeps): { stop(): void } {
  let loggedAt = Number.NEGATIVE_INFINITY;
  const look = async () => {
    try {
      await (await open('/dev/null')).close();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if ((code !== 'EMFILE' && code !== 'ENFILE') || performance.now() - loggedAt < MINUTE_MS) return;
      loggedAt = performance.now();
      logger.error(
        { event: 'files.exhausted', code },
        'no free file descriptor: new connections are closed at once. Raise the limit of open files (ulimit -n), or add replicas',
      );
    }
  };
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
