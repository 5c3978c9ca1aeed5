import type { FileHandle } from 'node:fs/promises';
import { type Change, decodePayload, isIntact, isKind, payloadLength, RECORD_HEAD } from './record.ts';

/** The first bytes of every journal, with the number of the format. */
export const MAGIC = Buffer.from('EMDBJRN1');

/** Bytes read at once. A longer record enlarges the window. */
const WINDOW = 4 * 1024 * 1024;

/**
 * The end of reading: everything was good, or there is a tail that is partly missing on the disk. `intact` tells whether
 * the tail has complete records after the gap.
 */
export type Ending =
  | { readonly kind: 'clean' }
  | { readonly kind: 'torn'; readonly keep: number; readonly lost: number; readonly intact: boolean };

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
  /** True if the last writer closed the journal, so all of it is on the disk. Otherwise data after the last flush may be partial. */
  readonly closed: boolean;
  readonly apply: (change: Change) => void;
}

/**
 * Reads a journal from its beginning and passes on every change. Reports the remains of a crash at its end as torn: a
 * record that is cut short, and after a power cut also gaps in unflushed data. Throws JournalCorruptError for damage of
 * flushed data.
 */
export async function readJournal({ file, path, closed, apply }: Reading): Promise<Ending> {
  const { size } = await file.stat();
  const magic = await read(file, 0, Math.min(MAGIC.length, size));
  if (!magic.equals(MAGIC.subarray(0, magic.length)))
    throw new JournalCorruptError(path, 0, 'it does not begin as a journal');
  if (magic.length < MAGIC.length) return { kind: 'torn', keep: 0, lost: size, intact: false };
  let at = MAGIC.length;
  while (at < size) {
    const consumed = applyWindow(
      await read(file, at, Math.min(await windowSize(file, at, size), size - at)),
      apply,
    );
    if (consumed === 0) break;
    at += consumed;
  }
  if (at === size) return { kind: 'clean' };
  const next = await findIntactRecord(file, at + 1, { size, kind: 'any' });
  if (next === null) return { kind: 'torn', keep: at, lost: size - at, intact: false };
  if (closed) throw new JournalCorruptError(path, at, `an intact record follows at byte ${next}`);
  const flushed = await findIntactRecord(file, next, { size, kind: 'flushed' });
  if (flushed !== null)
    throw new JournalCorruptError(path, at, `byte ${flushed} tells that this was on the disk`);
  return { kind: 'torn', keep: at, lost: size - at, intact: true };
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
    apply(decodePayload(window.subarray(at + RECORD_HEAD, at + RECORD_HEAD + length)));
    at += RECORD_HEAD + length;
  }
  return at;
}

/** The next offset of an intact record (of that kind), at any byte. Null if there is none. */
async function findIntactRecord(
  file: FileHandle,
  from: number,
  { size, kind }: { size: number; kind: 'any' | 'flushed' },
): Promise<number | null> {
  for (let start = from; start + RECORD_HEAD < size; start += WINDOW) {
    const window = await read(file, start, Math.min(WINDOW + RECORD_HEAD + 1, size - start));
    const last = Math.min(WINDOW, window.length - RECORD_HEAD);
    for (let i = 0; i < last; i++) {
      const length = isKind(window[i + RECORD_HEAD] ?? 0, kind) ? payloadLength(window, i) : null;
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
