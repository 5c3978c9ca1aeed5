import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { batchLists } from '@sluice/runtime/timing/batcher';
import type { AttemptRow } from '@sluice/store/outbound/webhook-message';
import type { WebhookMessages } from '@sluice/store/outbound/webhook-messages';

export interface AttemptLogDeps {
  readonly webhookMessages: Pick<WebhookMessages, 'logAttempts'>;
  /** Called with each error, and with null when the log is written again. */
  readonly onChange: (error: unknown) => void;
  /** Resolves at once, or a moment later if other turns are about to log too. */
  readonly gather: () => Promise<void> | undefined;
}

/** Stores attempts of all turns together. */
export interface AttemptLog {
  /** Resolves once these rows are stored. It waits until MongoDB is back, or until `stop`. */
  logAttempts(rows: readonly AttemptRow[]): Promise<void>;
  /** How long writes have failed; 0: the last one succeeded. Milliseconds. */
  failingMs(): number;
  /** Waits no longer for MongoDB. */
  stop(): void;
}

/** Rows in one write. */
const BATCH = 500;
const RETRY_MS = 250;

/** Batches form while the previous write is under way, and while other turns are about to end. So a busy dispatcher needs few round trips. */
export function createAttemptLog({ webhookMessages, onChange, gather }: AttemptLogDeps): AttemptLog {
  let stopped = false;
  let failsSince: number | undefined;

  async function write(rows: readonly AttemptRow[]): Promise<void> {
    for (let failed = false; ; failed = true) {
      try {
        await webhookMessages.logAttempts(rows);
        failsSince = undefined;
        if (failed) onChange(null);
        return;
      } catch (error) {
        failsSince ??= performance.now();
        onChange(error);
        if (stopped) throw error;
        await sleep(RETRY_MS);
      }
    }
  }

  const logAttempts = batchLists(write, { maxItems: BATCH, gather });
  return {
    logAttempts: async (rows) => {
      if (rows.length > 0) await logAttempts(rows);
    },
    failingMs: () => (failsSince === undefined ? 0 : performance.now() - failsSince),
    stop() {
      stopped = true;
    },
  };
}
