import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { KeyUse } from '@sluice/store/accounts/api-keys';

/** Records when, where and for which route keys are used, without one write per use. */
export interface LastUsed {
  note(keyId: string, use: KeyUse): void;
  /** Writes the recorded uses now. They are also written periodically. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface LastUsedDeps {
  /** Later uses win, so replicas may write in any order. */
  readonly write: (uses: ReadonlyMap<string, KeyUse>) => Promise<void>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly everyMs?: number;
}

/** Maximum delay until a use is visible in the dashboard. Losing one when a process is killed is acceptable. */
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
      logger.warn({ event: 'last_used.failed', err: error }, 'last use of keys not written; will retry');
      // Keep newer uses that were recorded meanwhile.
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
