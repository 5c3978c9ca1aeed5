export interface WatchdogDeps {
  /** Counts the jobs that wait for a worker. */
  readonly waiting: () => Promise<number>;
  /** Whether there is a known reason for fetching nothing now. */
  readonly excused: () => boolean;
  /** How long jobs may wait while the worker fetches none. Milliseconds. */
  readonly silenceMs: number;
  readonly onSilence: (waiting: number) => void;
}

export interface Watchdog {
  sawTaken(): void;
  stop(): void;
}

/** The number of looks within `silenceMs`. */
const LOOKS = 6;

/**
 * Detects a worker that is connected and idle, and fetches nothing although jobs wait. After a failover or a reconnect
 * BullMQ workers have fallen silent forever (bullmq#3088, #2964, #2466). Its maintainers advise replacing them.
 */
export function createWatchdog({ waiting, excused, silenceMs, onSilence }: WatchdogDeps): Watchdog {
  let quietSince = performance.now();
  let looking = false;

  async function look(): Promise<void> {
    const askedAt = performance.now();
    const count = excused() ? 0 : await waiting();
    // A delay of the response, for example by a dead Cluster node, delayed the worker too.
    const kept = performance.now() - askedAt > silenceMs / LOOKS;
    if (count === 0 || kept || excused()) {
      quietSince = performance.now();
    } else if (performance.now() - quietSince >= silenceMs) {
      quietSince = performance.now();
      onSilence(count);
    }
  }

  const timer = setInterval(() => {
    // While Redis does not answer, the last look is unfinished.
    if (looking) return;
    looking = true;
    look()
      .catch(() => undefined)
      .finally(() => {
        looking = false;
      });
  }, silenceMs / LOOKS);

  return {
    sawTaken: () => {
      quietSince = performance.now();
    },
    stop: () => clearInterval(timer),
  };
}
