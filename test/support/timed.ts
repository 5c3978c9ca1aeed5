const TICK_MS = 5;

/**
 * The duration of the work in milliseconds, without the time in which this process got no CPU. A bound for a wait must
 * be met on a busy machine too.
 */
export async function timed<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
  let lateMs = 0;
  let last = performance.now();
  const tick = () => {
    const now = performance.now();
    // An idle process wakes up once per tick, give or take one.
    if (now - last > 2 * TICK_MS) lateMs += now - last - TICK_MS;
    last = now;
  };
  const startedAt = last;
  const timer = setInterval(tick, TICK_MS);
  try {
    const result = await work();
    tick();
    return { result, ms: performance.now() - startedAt - lateMs };
  } finally {
    clearInterval(timer);
  }
}
