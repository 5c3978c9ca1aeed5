import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { KeyUse } from '@sluice/store/api-keys';

/** Notes when, from where and for what keys are used, without a write for each use. */
export interface LastUsed {
  note(keyId: string, use: KeyUse): void;
  /** Writes what was noted; in between it happens by itself. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface LastUsedDeps {
  /** Later uses win, so that replicas may write in any order. */
  readonly write: (uses: ReadonlyMap<string, KeyUse>) => Promise<void>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly everyMs?: number;
}

/** A use is seen in the dashboard this much later at most; one that is lost with a killed process is no harm. */
const EVERY_MS = 3000;

export function createLastUsed({ write, logger, everyMs = EVERY_MS }: LastUsedDeps): LastUsed {
  let uses = new Map<string, KeyUse>();

  const flush = async (): Promise<void> => {
    if (uses.size === 0) return;
    const writing = uses;
    uses = new Map();
    try {
      await write(writing);
    } catch (error) {
      logger.warn({ event: 'last_used.failed', err: error }, 'last use of keys not written; trying again');
      // Newer uses were noted meanwhile.
      for (const [keyId, use] of writing) if (!uses.has(keyId)) uses.set(keyId, use);
    }
  };
  const timer = setInterval(() => void flush(), everyMs);
  timer.unref();

  return {
    note: (keyId, use) => void uses.set(keyId, use),
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
