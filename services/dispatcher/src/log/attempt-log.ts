import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
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

interface Waiting {
  readonly rows: readonly AttemptRow[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Batches form while the previous write is under way, and while other turns are about to end. So a busy dispatcher needs few round trips. */
export function createAttemptLog({ webhookMessages, onChange, gather }: AttemptLogDeps): AttemptLog {
  let waiting: Waiting[] = [];
  let running = false;
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

  async function run(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      await gather();
      let rows = 0;
      let count = 0;
      while (count < waiting.length && (count === 0 || rows < BATCH)) {
        rows += (waiting[count] as Waiting).rows.length;
        count += 1;
      }
      const batch = waiting.slice(0, count);
      waiting = waiting.slice(count);
      try {
        await write(batch.flatMap((one) => one.rows));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running = false;
  }

  return {
    logAttempts: (rows) =>
      rows.length === 0
        ? Promise.resolve()
        : new Promise((resolve, reject) => {
            waiting.push({ rows, resolve, reject });
            if (!running) void run();
          }),
    failingMs: () => (failsSince === undefined ? 0 : performance.now() - failsSince),
    stop() {
      stopped = true;
    },
  };
}
