export interface CompactorDeps {
  /** Compacts once. Stops soon after `cancelled` returns true. */
  readonly compact: (cancelled: () => boolean) => Promise<void>;
  readonly isDue: () => boolean;
  /** Bytes of the journal. */
  readonly size: () => number;
  /** Free bytes of the disk that a second journal requires, so that room remains for others. */
  readonly needs: () => number;
  /** Free bytes of the disk. */
  readonly free: () => Promise<number>;
  readonly log: (message: string) => void;
}

/** Runs one compaction at a time, whenever one is due. */
export interface Compactor {
  /** Call this whenever the journal has grown. */
  consider(): void;
  stop(): Promise<void>;
}

/** Growth of the journal before a failed compaction is retried, because a retry at every write would fail again. */
const GROWTH_BEFORE_RETRY = 1.25;

export function createCompactor({ compact, isDue, size, needs, free, log }: CompactorDeps): Compactor {
  let stopped = false;
  let running: Promise<void> | null = null;
  let notBelow = 0; // bytes of the journal

  function putOff(reason: string): void {
    notBelow = size() * GROWTH_BEFORE_RETRY;
    log(`${reason}; the old journal goes on. Tried again once it has ${Math.ceil(notBelow)} bytes.`);
  }

  async function run(): Promise<void> {
    const before = size();
    try {
      const room = await free();
      if (room < needs())
        return putOff(
          `No room to compact the journal: ${room} bytes of the disk are free, ${needs()} are needed`,
        );
      await compact(() => stopped);
      notBelow = 0;
      if (!stopped) log(`Compacted the journal from ${before} to ${size()} bytes.`);
    } catch (error) {
      putOff(`Compacting the journal failed: ${String(error)}`);
    }
  }

  function consider(): void {
    if (running || stopped || size() < notBelow || !isDue()) return;
    running = run().finally(() => {
      running = null;
      consider(); // records written meanwhile may be garbage already
    });
  }

  return {
    consider,
    async stop() {
      stopped = true;
      await running;
    },
  };
}
