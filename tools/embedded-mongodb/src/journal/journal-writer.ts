import type { FileHandle } from 'node:fs/promises';

/** Appends records to a file, with group commit. */
export interface JournalWriter {
  append(record: Buffer): void;
  /** Resolves when everything appended before is in the file, or with `flushed` on the disk. Rejects on failure. */
  safe(flushed: boolean): Promise<void>;
  /** Writes and flushes the rest and closes the file. */
  close(): Promise<void>;
}

export interface JournalWriterDeps {
  readonly file: FileHandle;
  readonly size: number;
  /** Called when the file cannot be written. From now on every wait rejects. */
  readonly onFatal: (error: Error) => void;
}

/**
 * Group commit without a timer: records appended during a write go into the next one, and one fsync serves all callers
 * that wait for it.
 */
export function createJournalWriter({ file, size, onFatal }: JournalWriterDeps): JournalWriter {
  let position = size; // offset of the next write
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  const counted = { appended: 0, written: 0, flushed: 0 }; // bytes since the beginning of this writer
  const waiting = createGroupCommitWaiters();
  let running: Promise<void> | null = null;
  let failed: Error | null = null;

  async function writePending(): Promise<void> {
    const bytes = Buffer.concat(pending);
    pending = [];
    pendingBytes = 0;
    position = await writeAll(file, bytes, position);
    counted.written += bytes.length;
    waiting.settle(counted);
  }

  async function flush(): Promise<void> {
    const reached = counted.written;
    await file.datasync();
    counted.flushed = reached;
    waiting.settle(counted);
  }

  const hasWork = (): boolean => pendingBytes > 0 || waiting.size > 0;

  async function work(): Promise<void> {
    while (hasWork()) {
      if (pendingBytes > 0) await writePending();
      if (waiting.wantsFlush) await flush();
    }
  }

  function start(): void {
    running ??= work()
      .catch((error: unknown) => {
        failed = error instanceof Error ? error : new Error(String(error));
        waiting.refuse(failed);
        onFatal(failed);
      })
      .finally(() => {
        running = null;
        if (!failed && hasWork()) start(); // work that arrived after the last check
      });
  }

  function safe(flushed: boolean): Promise<void> {
    const target = counted.appended;
    if (failed) return Promise.reject(failed);
    if (target <= (flushed ? counted.flushed : counted.written)) return Promise.resolve();
    const safely = waiting.wait(target, flushed);
    start();
    return safely;
  }

  return {
    append(record) {
      pending.push(record);
      pendingBytes += record.length;
      counted.appended += record.length;
    },
    safe,
    async close() {
      if (!failed) await safe(true);
      await running;
      await file.close();
    },
  };
}

interface Waiter {
  readonly target: number;
  readonly flushed: boolean;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Callers that wait until bytes are durable. Offsets count from the start of the writer. */
function createGroupCommitWaiters() {
  let waiters: Waiter[] = [];
  return {
    get size() {
      return waiters.length;
    },
    get wantsFlush() {
      return waiters.some((waiter) => waiter.flushed);
    },
    /** Resolves when everything up to the target is written, or with `flushed` on the disk. */
    wait: (target: number, flushed: boolean) =>
      new Promise<void>((resolve, reject) => {
        waiters.push({ target, flushed, resolve, reject });
      }),
    /** Resolves all callers whose bytes are durable by now. */
    settle(reached: { readonly written: number; readonly flushed: number }) {
      const isSafe = (waiter: Waiter): boolean =>
        waiter.target <= (waiter.flushed ? reached.flushed : reached.written);
      for (const waiter of waiters) if (isSafe(waiter)) waiter.resolve();
      waiters = waiters.filter((waiter) => !isSafe(waiter));
    },
    refuse(error: Error) {
      for (const waiter of waiters) waiter.reject(error);
      waiters = [];
    },
  };
}

/** Writes all bytes at the offset. Returns the offset after them. */
export async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<number> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
  return position + bytes.length;
}
