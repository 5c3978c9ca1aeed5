import type { FileHandle } from 'node:fs/promises';
import { type Change, decodePayload, isIntact, isKind, payloadLength, RECORD_HEAD } from './record.ts';

/** The first bytes of every journal, with the number of the format. */
export const MAGIC = Buffer.from('EMDBJRN1');

/** Bytes read at once. A longer record enlarges the window. */
const WINDOW = 4 * 1024 * 1024;

/** The journal has a damaged record with good ones after it. Continuing would lose something acknowledged. */
export class JournalCorruptError extends Error {
  constructor(path: string, offset: number, reason: string) {
    super(
      `the journal ${path} is damaged at byte ${offset} (${reason}); refusing to start, because going on would lose data. Restore it from a copy or move it away.`,
    );
    this.name = 'JournalCorruptError';
  }
}

export interface Reading {
  readonly file: FileHandle;
  readonly path: string;
  readonly apply: (change: Change) => void;
}

/**
 * Reads a journal from its beginning and passes on every change. Returns the size of its good part: a crash can cut the last
 * record short. Throws JournalCorruptError for other damage.
 */
export async function readJournal({ file, path, apply }: Reading): Promise<number> {
  const { size } = await file.stat();
  const magic = await read(file, 0, Math.min(MAGIC.length, size));
  if (!magic.equals(MAGIC.subarray(0, magic.length)))
    throw new JournalCorruptError(path, 0, 'it does not begin as a journal');
  if (magic.length < MAGIC.length) return 0;
  let at = MAGIC.length;
  while (at < size) {
    const consumed = applyWindow(
      await read(file, at, Math.min(await windowSize(file, at, size), size - at)),
      apply,
    );
    if (consumed === 0) break;
    at += consumed;
  }
  const next = await findIntactRecord(file, at + 1, size);
  if (next !== null) throw new JournalCorruptError(path, at, `an intact record follows at byte ${next}`);
  return at;
}

/** Contains at least the complete next record. */
async function windowSize(file: FileHandle, at: number, size: number): Promise<number> {
  if (at + RECORD_HEAD > size) return WINDOW;
  const length = payloadLength(await read(file, at, RECORD_HEAD), 0);
  return Math.max(WINDOW, RECORD_HEAD + (length ?? 0));
}

/** Applies the complete and intact records at the start of the window. Returns their size in bytes. */
function applyWindow(window: Buffer, apply: (change: Change) => void): number {
  let at = 0;
  while (at + RECORD_HEAD <= window.length) {
    const length = payloadLength(window, at);
    if (length === null || at + RECORD_HEAD + length > window.length || !isIntact(window, at, length)) break;
    const change = decodePayload(window.subarray(at + RECORD_HEAD, at + RECORD_HEAD + length));
    if (change) apply(change);
    at += RECORD_HEAD + length;
  }
  return at;
}

/** The next offset of an intact record, at any byte. Null if there is none. */
async function findIntactRecord(file: FileHandle, from: number, size: number): Promise<number | null> {
  for (let start = from; start + RECORD_HEAD < size; start += WINDOW) {
    const window = await read(file, start, Math.min(WINDOW + RECORD_HEAD + 1, size - start));
    const last = Math.min(WINDOW, window.length - RECORD_HEAD);
    for (let i = 0; i < last; i++) {
      const length = isKind(window[i + RECORD_HEAD] ?? 0) ? payloadLength(window, i) : null;
      if (length === null || start + i + RECORD_HEAD + length > size) continue;
      const record = await read(file, start + i, RECORD_HEAD + length);
      if (isIntact(record, 0, length)) return start + i;
    }
  }
  return null;
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(buffer, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return buffer.subarray(0, done);
}
