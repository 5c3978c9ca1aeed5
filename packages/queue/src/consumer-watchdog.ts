export interface WatchdogDeps {
  /** Jobs that wait for somebody to take them. */
  readonly waiting: () => Promise<number>;
  /** Whether there is a good reason for taking nothing now. */
  readonly excused: () => boolean;
  /** How long waiting jobs may go untaken. */
  readonly silenceMs: number;
  readonly onSilence: (waiting: number) => void;
}

export interface Watchdog {
  sawTaken(): void;
  stop(): void;
}

/** Looks this many times within the silence that is allowed. */
const LOOKS = 6;

/**
 * Finds a worker that is connected and idle, and takes nothing although jobs wait: after a failover or a reconnect
 * BullMQ workers have fallen silent for ever (bullmq#3088, #2964, #2466). Its maintainers advise to replace them.
 */
export function createWatchdog({ waiting, excused, silenceMs, onSilence }: WatchdogDeps): Watchdog {
  let quietSince = performance.now();
  let looking = false;

  async function look(): Promise<void> {
    const askedAt = performance.now();
    const count = excused() ? 0 : await waiting();
    // What kept the answer, such as a server of a Cluster that died, kept the worker too.
    const kept = performance.now() - askedAt > silenceMs / LOOKS;
    if (count === 0 || kept || excused()) {
      quietSince = performance.now();
    } else if (performance.now() - quietSince >= silenceMs) {
      quietSince = performance.now();
      onSilence(count);
    }
  }

  const timer = setInterval(() => {
    // A Redis that does not answer leaves the last look unfinished.
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
