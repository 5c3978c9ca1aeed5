export interface CompactorDeps {
  /** Compacts once; gives up soon after `cancelled` says so. */
  readonly compact: (cancelled: () => boolean) => Promise<void>;
  readonly isDue: () => boolean;
  /** Bytes of the journal. */
  readonly size: () => number;
  readonly log: (message: string) => void;
}

/** Runs one compaction at a time, whenever one is due. */
export interface Compactor {
  /** To be called whenever the journal has grown. */
  consider(): void;
  stop(): Promise<void>;
}

export function createCompactor({ compact, isDue, size, log }: CompactorDeps): Compactor {
  let stopped = false;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    const before = size();
    try {
      await compact(() => stopped);
      if (!stopped) log(`Compacted the journal from ${before} to ${size()} bytes.`);
    } catch (error) {
      log(`Compacting the journal failed, the old one goes on: ${String(error)}`);
      stopped = true; // what failed once would fail at every write; the next start tries again
    }
  }

  function consider(): void {
    if (running || stopped || !isDue()) return;
    running = run().finally(() => {
      running = null;
      consider(); // what was written meanwhile may be garbage already
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
