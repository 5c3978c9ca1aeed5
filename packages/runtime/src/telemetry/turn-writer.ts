import { writeSync } from 'node:fs';

/** Collects lines and writes them to a file descriptor. */
export interface TurnWriter {
  write(line: string): void;
  /** Writes everything at once. Gives up on a reader that takes nothing for LAST_WAIT_MS, and after LAST_FLUSH_MS. */
  flushSync(): void;
}

/** A pipe that is full is tried again after this time. */
const RETRY_MS = 5;
/** A process that ends waits this long for a reader that takes nothing. */
const LAST_WAIT_MS = 2000;
/** A process that ends waits this long for a slow reader. */
const LAST_FLUSH_MS = 10_000;

/**
 * Writes the lines of one turn of the event loop together at its end, because a system call for each costs more than its line.
 * A process that is killed loses the lines of one turn. One that exits loses none, unless its reader is late by LAST_WAIT_MS.
 *
 * If the descriptor does not block and its reader is late, a bounded number of lines waits and the event loop goes on.
 * sonic-boom, pino's own writer, would stop the process for 100 ms at a time (4.2.1, `BUSY_WRITE_TIMEOUT`). Once the reader is gone,
 * nothing is written any more. After another error, such as a full disk, the lines that wait are lost.
 */
export function createTurnWriter(fd: number, describeDropped: (count: number) => string): TurnWriter {
  const waiting = createWaitingLines(describeDropped);
  let rest: Buffer | undefined;
  /** The last write was a part of a line, and the others were refused. */
  let isCutOff = false;
  let isScheduled = false;
  let isGone = false;
  let lastWriteAt = 0;

  /** Whether everything is written, or nothing more can be. */
  function tryWrite(): boolean {
    while (!isGone) {
      const bytes: Buffer | undefined = rest ?? nextLines();
      if (bytes === undefined) return true;
      const written = writeSome(fd, bytes);
      rest = written === 'full' ? bytes : undefined;
      if (written === 'full') return false;
      if (written === 'gone') isGone = true;
      if (typeof written !== 'number') continue;
      lastWriteAt = performance.now();
      isCutOff = written < bytes.length;
      if (isCutOff) rest = bytes.subarray(written);
    }
    return true;
  }

  /** A line that is cut off must not spoil the next one. */
  function nextLines(): Buffer | undefined {
    const lines = waiting.take();
    return lines !== undefined && isCutOff ? Buffer.concat([LINE_END, lines]) : lines;
  }

  function flush(): void {
    isScheduled = false;
    if (tryWrite()) return;
    isScheduled = true;
    // A process that has nothing else to do ends, and `flushSync` writes its last lines.
    setTimeout(flush, RETRY_MS).unref();
  }

  return {
    write(line) {
      if (isGone) return;
      waiting.add(line);
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(flush);
    },
    flushSync() {
      const startedAt = performance.now();
      lastWriteAt = startedAt;
      while (!tryWrite()) {
        const now = performance.now();
        if (now - lastWriteAt > LAST_WAIT_MS || now - startedAt > LAST_FLUSH_MS) return;
        stopThread(RETRY_MS);
      }
    },
  };
}

const LINE_END = Buffer.from('\n');
/** The reader is gone and does not come back. */
const GONE: ReadonlySet<string> = new Set(['EPIPE', 'ECONNRESET', 'EBADF']);

/** How many bytes were written. `full`: there is no room now. `refused`: another error. */
function writeSome(fd: number, bytes: Buffer): number | 'full' | 'gone' | 'refused' {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN') return 'full';
    return GONE.has(code) ? 'gone' : 'refused';
  }
}

function stopThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Lines that are not written yet, in their order. */
export interface WaitingLines {
  add(line: string): void;
  /** The next lines, together at most TOGETHER bytes, or one longer line. Undefined: none waits. */
  take(): Buffer | undefined;
}

/** A pipe takes this much whole, also beside other processes (PIPE_BUF). Bytes. */
const TOGETHER = 4096;
/** Further lines are dropped. Characters. */
const MOST_WAITING = 8 * 1024 * 1024;
/** Lines that were taken are forgotten in blocks, because moving the others for each would cost too much. */
const BLOCK = 1000;

/** `describeDropped` makes a line of the number of lines that were dropped. It is the last that is taken. */
export function createWaitingLines(describeDropped: (count: number) => string): WaitingLines {
  let lines: string[] = [];
  let next = 0;
  let characters = 0;
  let dropped = 0;

  function takeOne(): string | undefined {
    const line = lines[next];
    if (line === undefined) return undefined;
    lines[next] = '';
    next += 1;
    characters -= line.length;
    return line;
  }

  function forgetTaken(): void {
    if (next < BLOCK && next < lines.length) return;
    lines = lines.slice(next);
    next = 0;
  }

  return {
    add(line) {
      if (characters + line.length > MOST_WAITING) {
        dropped += 1;
        return;
      }
      lines.push(line);
      characters += line.length;
    },
    take() {
      let taken = takeOne();
      if (taken === undefined) {
        if (dropped === 0) return undefined;
        taken = describeDropped(dropped);
        dropped = 0;
      }
      let bytes = Buffer.byteLength(taken);
      for (let line = lines[next]; line !== undefined; line = lines[next]) {
        bytes += Buffer.byteLength(line);
        if (bytes > TOGETHER) break;
        taken += takeOne();
      }
      forgetTaken();
      return Buffer.from(taken);
    },
  };
}
