import { createWriteStream, mkdirSync, openSync, renameSync, statSync, type WriteStream } from 'node:fs';
import { dirname } from 'node:path';

/** One older file of this size is kept beside the current one. */
const LIMIT_BYTES = 20 * 1024 * 1024;

export interface LogFile {
  readonly path: string;
  write(line: string): void;
  close(): Promise<void>;
}

/** Appends lines to a file; at its limit the file becomes `….1` and a new one begins. */
export function openLogFile(path: string, limitBytes = LIMIT_BYTES): LogFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  let stream = open();

  function open(): WriteStream {
    // Opened at once, so that there is a file to rename however soon the limit is reached.
    const opened = createWriteStream(path, { fd: openSync(path, 'a', 0o600) });
    // A full disk must not stop the services: they go on, unlogged.
    opened.on('error', () => {});
    return opened;
  }

  return {
    path,
    write: (line) => {
      const text = `${line}\n`;
      if (size > 0 && size + text.length > limitBytes) {
        stream.end();
        renameSync(path, `${path}.1`);
        stream = open();
        size = 0;
      }
      size += text.length;
      stream.write(text);
    },
    close: () => new Promise((resolve) => stream.end(() => resolve())),
  };
}
