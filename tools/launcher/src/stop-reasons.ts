import type { ReleaseReport } from '@sluice/runtime/process/releasers';

const LOOK_EVERY_MS = 1000;
/** npm forwards Ctrl-C although the terminal has already sent it to us. Two within this time count as one. */
const SAME_INTERRUPT_MS = 1000;

/** A second Ctrl-C kills everything that the first one still waits for. Both stores survive being killed. */
export function forceOnSecondInterrupt({
  killers,
  say,
}: {
  killers: readonly (() => void)[];
  say: (line: string) => void;
}): void {
  let first: number | undefined;
  process.on('SIGINT', () => {
    first ??= performance.now();
    if (performance.now() - first < SAME_INTERRUPT_MS) return;
    say('killing the remaining processes');
    for (const kill of killers) kill();
    process.exit(1);
  });
}

/**
 * Calls `onGone` when our parent npm has ended without a signal to us, because a killed npm forwards none.
 * A launcher that was started without npm may outlive its parent.
 */
export function watchNpm({
  onGone,
  underNpm = process.env.npm_lifecycle_event !== undefined,
}: {
  onGone: () => void;
  underNpm?: boolean;
}): void {
  if (!underNpm) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, LOOK_EVERY_MS);
  timer.unref();
}

/** The last line of an unclean stop. It names every part, and the consequence for the data. */
export function uncleanStop({ overran, failed }: Pick<ReleaseReport, 'overran' | 'failed'>): string {
  const parts = [...failed, ...overran].join(', ');
  return `stopped, but not cleanly: ${parts} (see above). Accepted actions are safe; the next npm start continues with them.`;
}
