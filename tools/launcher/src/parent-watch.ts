const LOOK_EVERY_MS = 1000;

/**
 * Calls `onGone` when the npm that runs us has ended without telling us: killed, it cannot pass on any signal.
 * A launcher that was started without npm may outlive whoever started it.
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
