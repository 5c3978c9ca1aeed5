const LOOK_EVERY_MS = 1000;

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
