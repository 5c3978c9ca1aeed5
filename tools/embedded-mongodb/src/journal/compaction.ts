import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import type { Catalog } from '../storage/catalog.ts';
import type { Collection } from '../storage/collection.ts';
import { MAGIC } from './journal-reader.ts';
import type { JournalWriter } from './journal-writer.ts';
import { writeAll } from './journal-writer.ts';
import { encodeRecord } from './record.ts';

export interface CompactionDeps {
  readonly path: string;
  readonly folder: string;
  readonly catalog: Catalog;
  readonly writer: JournalWriter;
  /** True once the server closes. Then compaction stops, and the old journal stays. */
  readonly cancelled: () => boolean;
}

/** Bytes written at once. Other work runs between two pieces. */
const PIECE = 1024 * 1024;
/** How often the tail is copied and flushed before writers wait for the rest. */
const ROUNDS = 3;

/** Path of the new journal until it replaces the old one. */
export function compactingPath(path: string): string {
  return `${path}.compacting`;
}

/**
 * Writes a new journal with only the live documents while the old one continues to grow. Then appends the records that the
 * old one got meanwhile, and replaces it. The documents are read at slightly different moments, but every change since the
 * start follows them, and changes are idempotent. The old file is complete until the rename, so a crash at any moment
 * leaves one of the two. Writers wait only for the last copy and its fsync, which contain the records of one fsync.
 */
export async function compact(deps: CompactionDeps): Promise<void> {
  const { path, folder, writer, catalog, cancelled } = deps;
  const from = writer.written; // pending writes are in the documents already, and are appended again
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
      // Each round flushes the records that came during the previous one, while no writer waits.
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
        inPlace = true; // from now on only the new file counts
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

/** It may miss documents that are inserted meanwhile, because the old journal has them. Returns the new size of the file. */
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
    // Flush piece by piece: a hundred megabytes at once would delay every other user of this disk, such as Redis.
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

/** Flushes the folder, so that a rename or a new file in it survives a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
