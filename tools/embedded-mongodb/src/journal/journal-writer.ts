import type { FileHandle } from 'node:fs/promises';
import { createGroupCommitWaiters } from './group-commit-waiters.ts';

/** Appends records to a file, with group commit. */
export interface JournalWriter {
  /** Approximate size of the file once all appended records are written. Bytes. */
  readonly end: number;
  /** Size of the file. The next record begins after it. Bytes. */
  readonly written: number;
  append(record: Buffer): void;
  /** Resolves when everything appended before is in the file, or with `flushed` on the disk. Rejects on failure. */
  safe(flushed: boolean): Promise<void>;
  /** Runs a task while no write is in progress. The task may move the writer to another file. */
  between<T>(task: (move: (file: FileHandle, size: number) => Promise<void>) => Promise<T>): Promise<T>;
  /** Writes and flushes the rest and closes the file. */
  close(): Promise<void>;
}

export interface JournalWriterDeps {
  readonly file: FileHandle;
  readonly size: number;
  /** The record at the start of the first write after each fsync. */
  readonly publishesOfFlush?: Buffer;
  /** Called when the file cannot be written. From now on every wait rejects. */
  readonly onFatal: (error: Error) => void;
}

/**
 * Group commit without a timer: records appended during a write go into the next one, and one fsync serves all callers
 * that wait for it. `publishesOfFlush` is for the reader: after a power cut any part of the data after the last fsync may be
 * on the disk, and the reader must know where that data begins.
 */
export function createJournalWriter({
  file: first,
  size,
  publishesOfFlush,
  onFatal,
}: JournalWriterDeps): JournalWriter {
  let file = first;
  let position = size; // offset of the next write
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let flushedSince = false; // the last write
  const counted = { appended: 0, written: 0, flushed: 0 }; // bytes since the beginning of this writer
  const waiting = createGroupCommitWaiters();
  let tasks: { readonly run: () => Promise<void>; readonly refuse: (error: Error) => void }[] = [];
  let running: Promise<void> | null = null;
  let failed: Error | null = null;

  async function writePending(): Promise<void> {
    const records = flushedSince && publishesOfFlush ? [publishesOfFlush, ...pending] : pending;
    const appended = pendingBytes;
    const bytes = Buffer.concat(records);
    flushedSince = false;
    pending = [];
    pendingBytes = 0;
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
      done += bytesWritten;
    }
    position += bytes.length;
    counted.written += appended;
    waiting.settle(counted);
  }

  async function flush(): Promise<void> {
    const reached = counted.written;
    await file.datasync();
    counted.flushed = reached;
    flushedSince = true;
    waiting.settle(counted);
  }

  const hasWork = (): boolean => pendingBytes > 0 || waiting.size > 0 || tasks.length > 0;

  async function work(): Promise<void> {
    while (hasWork()) {
      if (pendingBytes > 0) await writePending();
      if (waiting.wantsFlush) await flush();
      const due = tasks;
      tasks = [];
      for (const task of due) await task.run();
    }
  }

  function start(): void {
    running ??= work()
      .catch((error: unknown) => {
        failed = error instanceof Error ? error : new Error(String(error));
        waiting.refuse(failed);
        for (const task of tasks) task.refuse(failed);
        onFatal(failed);
      })
      .finally(() => {
        running = null;
        if (!failed && hasWork()) start(); // work that arrived after the last check
      });
  }

  async function move(to: FileHandle, newSize: number): Promise<void> {
    const old = file;
    file = to;
    position = newSize;
    counted.flushed = counted.written; // the new file was flushed before it replaced the old one
    flushedSince = true;
    waiting.settle(counted);
    await old.close();
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
    get end() {
      return position + (counted.appended - counted.written);
    },
    get written() {
      return position;
    },
    append(record) {
      pending.push(record);
      pendingBytes += record.length;
      counted.appended += record.length;
    },
    safe,
    between: (task) =>
      new Promise((resolve, reject) => {
        if (failed) return reject(failed);
        tasks.push({ run: () => task(move).then(resolve, reject), refuse: reject });
        start();
      }),
    async close() {
      if (!failed) await safe(true);
      await running;
      await file.close();
    },
  };
}
