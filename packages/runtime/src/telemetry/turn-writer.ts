import { writeSync } from 'node:fs';

/** Collects lines and writes them to a file descriptor. */
export interface TurnWriter {
  write(line: string): void;
  /** Writes everything at once. Waits at most LAST_WAIT_MS for a reader that has no room. */
  flushSync(): void;
}

/** A pipe that is full is tried again after this time. */
const RETRY_MS = 5;
/** Lines are written together up to this size, which a pipe takes whole, also beside other processes (PIPE_BUF). Characters. */
const TOGETHER = 4096;
/** Lines that may wait for a slow reader. With more, the process waits as well, so that no line is lost. Characters. */
const MOST_WAITING = 4 * 1024 * 1024;
/** The reader is gone and does not come back. */
const GONE: ReadonlySet<string> = new Set(['EPIPE', 'ECONNRESET', 'EBADF']);
/** A process that ends waits this long for a slow reader. */
const LAST_WAIT_MS = 1000;

/**
 * Writes the lines of one turn of the event loop together at its end, because a system call for each costs more than its line.
 * A process that is killed loses the lines of one turn. One that exits loses none.
 *
 * If the descriptor is a pipe or socket that does not block, and its reader is late, the lines wait and the event loop goes on.
 * sonic-boom, pino's own writer, would stop the process for 100 ms then (4.2.1, `BUSY_WRITE_TIMEOUT`). Once the reader is gone,
 * nothing is written any more. After another error, such as a full disk, only those lines are lost.
 */
export function createTurnWriter(fd: number): TurnWriter {
  let lines: string[] = [];
  /** Those before are written. */
  let next = 0;
  let characters = 0;
  let rest: Buffer | undefined;
  let isScheduled = false;
  let isGone = false;

  /** Whether everything is written, or nothing more can be. */
  function tryWrite(): boolean {
    while (!isGone) {
      rest ??= takeLines();
      if (rest === undefined) return true;
      const written = writeSome(rest);
      if (written === 'full') return false;
      rest = written < rest.length ? rest.subarray(written) : undefined;
    }
    return true;
  }

  function takeLines(): Buffer | undefined {
    let taken = lines[next];
    if (taken === undefined) return undefined;
    for (next += 1; next < lines.length; next += 1) {
      const line = lines[next] as string;
      if (taken.length + line.length > TOGETHER) break;
      taken += line;
    }
    characters -= taken.length;
    if (next === lines.length) forgetLines();
    return Buffer.from(taken);
  }

  function forgetLines(): void {
    lines = [];
    next = 0;
    characters = 0;
  }

  function writeSome(bytes: Buffer): number | 'full' {
    try {
      return writeSync(fd, bytes);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (code === 'EAGAIN') return 'full';
      if (GONE.has(code)) {
        isGone = true;
        forgetLines();
      }
      return bytes.length;
    }
  }

  function flush(): void {
    isScheduled = false;
    if (tryWrite()) return;
    isScheduled = true;
    // A process that has nothing else to do ends, and its last lines are written by `flushSync`.
    setTimeout(flush, RETRY_MS).unref();
  }

  function waitUntilWritten(mostMs: number): void {
    const until = performance.now() + mostMs;
    while (!tryWrite() && performance.now() < until) pause(RETRY_MS);
  }

  return {
    write(line) {
      if (isGone) return;
      lines.push(line);
      characters += line.length;
      if (characters > MOST_WAITING) return waitUntilWritten(Number.POSITIVE_INFINITY);
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(flush).unref();
    },
    flushSync: () => waitUntilWritten(LAST_WAIT_MS),
  };
}

/** Stops the thread. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
