import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import type { Catalog } from '../storage/catalog.ts';
import type { Collection } from '../storage/collection.ts';
import { MAGIC } from './journal-reader.ts';
import type { JournalWriter } from './journal-writer.ts';
import { encodeRecord } from './record.ts';

export interface CompactionDeps {
  readonly path: string;
  readonly folder: string;
  readonly catalog: Catalog;
  readonly writer: JournalWriter;
  /** Says that the server is closing: then the work is dropped, and the old journal stays. */
  readonly cancelled: () => boolean;
}

/** Bytes written at once: between two pieces everybody else gets their turn. */
const PIECE = 1024 * 1024;
/** Times that the tail is copied and flushed before writers wait for the last of it. */
const ROUNDS = 3;

/** Where the new journal grows until it takes the old one's place. */
export function compactingPath(path: string): string {
  return `${path}.compacting`;
}

/**
 * Writes a journal with only what is alive, while the old one goes on growing; then what the old one got meanwhile is
 * copied behind it, and the new file takes its place. The documents are read at slightly different moments, but every change since the
 * beginning follows them, and changes can be applied twice. The old file is whole until the rename: a crash at any
 * moment leaves one of the two. Writers wait only for the last copy and its fsync: what came during one fsync.
 */
export async function compact(deps: CompactionDeps): Promise<void> {
  const { path, folder, writer, catalog, cancelled } = deps;
  const from = writer.written; // what is still to be written is in the documents, and comes again behind them
  const file = await open(compactingPath(path), 'w+');
  let inPlace = false;
  try {
    let size = await writeAll(file, MAGIC, 0);
    for (const collection of [...catalog.collections.values()])
      size = await writeCollection(file, size, collection, cancelled);
    const old = await open(path, 'r');
    try {
      await writer.safe(false);
      let copied = from;
      // Flushed while nobody waits, each round what came during the one before.
      for (let round = 1; round <= ROUNDS && !cancelled(); round++) {
        while (writer.written - copied > PIECE && !cancelled())
          [copied, size] = await copyPiece(old, file, copied, size);
        await file.datasync();
      }
      if (cancelled()) return await discard(file, path);
      await writer.between(async (move) => {
        while (copied < writer.written)
          [copied, size] = await copyPiece(old, file, copied, size, writer.written);
        await file.datasync();
        await rename(compactingPath(path), path);
        inPlace = true; // from here on only the new file counts
        await move(file, size);
        await syncFolder(folder);
      });
    } finally {
      await old.close();
    }
  } catch (error) {
    if (!inPlace) await discard(file, path);
    throw error;
  }
}

async function discard(file: FileHandle, path: string): Promise<void> {
  await file.close();
  await rm(compactingPath(path), { force: true });
}

/** Documents that come while this runs are not needed: the old journal tells of them. Gives the new size of the file. */
async function writeCollection(
  file: FileHandle,
  start: number,
  collection: Collection,
  cancelled: () => boolean,
): Promise<number> {
  const { namespace, indexes, documents } = collection;
  let size = start;
  let piece = [encodeRecord({ kind: 'created', namespace })];
  for (const { definition } of indexes.values()) {
    if (definition.name !== '_id_')
      piece.push(encodeRecord({ kind: 'indexed', namespace, specification: definition.specification }));
  }
  let bytes = 0;
  let left = documents.size;
  for (const stored of documents) {
    if (left-- <= 0 || cancelled()) break;
    const record = encodeRecord({ kind: 'put', namespace, bytes: stored.bytes });
    piece.push(record);
    bytes += record.length;
    if (bytes < PIECE) continue;
    size = await writeAll(file, Buffer.concat(piece), size);
    // Piece by piece: a hundred megabytes at once would hold up whoever else waits for this disk, such as Redis.
    await file.datasync();
    piece = [];
    bytes = 0;
  }
  return writeAll(file, Buffer.concat(piece), size);
}

async function copyPiece(
  old: FileHandle,
  file: FileHandle,
  copied: number,
  size: number,
  end = Number.POSITIVE_INFINITY,
): Promise<[number, number]> {
  const buffer = Buffer.allocUnsafe(Math.min(PIECE, end - copied));
  const { bytesRead } = await old.read(buffer, 0, buffer.length, copied);
  if (bytesRead === 0) throw new Error('the journal is shorter than what was written to it');
  return [copied + bytesRead, await writeAll(file, buffer.subarray(0, bytesRead), size)];
}

/** Writes all bytes at the place; gives the place after them. */
export async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<number> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
  return position + bytes.length;
}

/** Makes a rename or a new file in the folder survive the machine. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
