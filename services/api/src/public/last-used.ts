import type { Logger } from '@sluice/runtime/logger';

/** Notes when keys are used without a write for each use. */
export interface LastUsed {
  note(keyId: string, at: number): void;
  /** Writes what was noted; in between it happens by itself. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface LastUsedDeps {
  /** Later uses win, so that replicas may write in any order. */
  readonly write: (uses: ReadonlyMap<string, number>) => Promise<void>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly everyMs?: number;
}

/** A use is seen in the dashboard this much later at most; one that is lost with a killed process is no harm. */
const EVERY_MS = 3000;

export function createLastUsed({ write, logger, everyMs = EVERY_MS }: LastUsedDeps): LastUsed {
  let uses = new Map<string, number>();

  const flush = async (): Promise<void> => {
    if (uses.size === 0) return;
    const writing = uses;
    uses = new Map();
    try {
      await write(writing);
    } catch (error) {
      logger.warn({ event: 'last_used.failed', err: error }, 'last use of keys not written; trying again');
      // Newer uses were noted meanwhile.
      for (const [keyId, at] of writing) if (!uses.has(keyId)) uses.set(keyId, at);
    }
  };
  const timer = setInterval(() => void flush(), everyMs);
  timer.unref();

  return {
    note: (keyId, at) => void uses.set(keyId, at),
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
