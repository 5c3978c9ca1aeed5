import {
  closeSync,
  createWriteStream,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  type WriteStream,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** One older file of this size is kept beside the current one. */
const LIMIT_BYTES = 20 * 1024 * 1024;

export interface LogFile {
  readonly path: string;
  write(line: string): void;
  close(): Promise<void>;
}

/** The path of the log of all services. */
export function servicesLogPath(dataDir: string): string {
  return join(dataDir, 'logs', 'services.log');
}

/** Throws where lines cannot be appended to the file, such as for want of permission. */
export function assertAppendable(path: string): void {
  closeSync(openForLines(path));
}

/**
 * Appends lines to a file; at its limit the file becomes `….1` and a new one begins. Throws where it cannot be opened.
 *
 * This is our own code because pino-roll 4 numbers every file (`services.1.log`), opens it asynchronously, and exceeds its
 * limit by all that is written until the stream drains.
 */
export function openLogFile(path: string, limitBytes = LIMIT_BYTES): LogFile {
  let stream = open();
  let size = statSync(path).size;

  function open(): WriteStream {
    // Opened at once, so that there is a file to rename however soon the limit is reached.
    const opened = createWriteStream(path, { fd: openForLines(path) });
    // A full disk must not stop the services: they go on, unlogged.
    opened.on('error', () => {});
    return opened;
  }

  function beginAnew(): void {
    size = 0;
    try {
      renameSync(path, `${path}.1`);
      const next = open();
      stream.end();
      stream = next;
    } catch {
      // The same holds for a full disk and a missing folder: lines go on into the old file.
    }
  }

  return {
    path,
    write: (line) => {
      const text = `${line}\n`;
      if (size > 0 && size + text.length > limitBytes) beginAnew();
      size += text.length;
      stream.write(text);
    },
    close: () => new Promise((resolve) => stream.end(() => resolve())),
  };
}

function openForLines(path: string): number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return openSync(path, 'a', 0o600);
}
