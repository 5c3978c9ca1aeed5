import { type FileHandle, open, rename } from 'node:fs/promises';
import type { Catalog } from '../storage/catalog.ts';
import type { Collection } from '../storage/collection.ts';
import { MAGIC } from './journal-reader.ts';
import { writeAll } from './journal-writer.ts';
import { encodeRecord } from './record.ts';

/** Bytes written and flushed at once. A hundred megabytes would delay every other user of this disk, such as Redis. */
const PIECE = 1024 * 1024;

/** Path of the new journal until it replaces the old one. */
export function compactingPath(path: string): string {
  return `${path}.compacting`;
}

/** A journal, opened behind its last record. */
export interface Journal {
  readonly file: FileHandle;
  /** Bytes. */
  readonly size: number;
}

/**
 * Replaces a journal, before it is written to, by one with only the live documents. The old file is complete until the rename, so
 * a crash at any moment leaves one of the two. Flush the folder afterwards.
 */
export async function compact(path: string, catalog: Catalog): Promise<Journal> {
  const file = await open(compactingPath(path), 'w+');
  try {
    let size = await writeAll(file, MAGIC, 0);
    for (const collection of catalog.collections.values())
      size = await writeCollection(file, size, collection);
    await rename(compactingPath(path), path);
    return { file, size };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Returns the new size of the file. */
async function writeCollection(file: FileHandle, start: number, collection: Collection): Promise<number> {
  const { namespace, indexes, documents } = collection;
  let size = start;
  let piece = [encodeRecord({ kind: 'created', namespace })];
  for (const { definition } of indexes.values()) {
    if (definition.name !== '_id_')
      piece.push(encodeRecord({ kind: 'indexed', namespace, specification: definition.specification }));
  }
  let bytes = 0;
  for (const stored of documents) {
    const record = encodeRecord({ kind: 'put', namespace, bytes: stored.bytes });
    piece.push(record);
    bytes += record.length;
    if (bytes < PIECE) continue;
    size = await writeAll(file, Buffer.concat(piece), size);
    await file.datasync();
    piece = [];
    bytes = 0;
  }
  size = await writeAll(file, Buffer.concat(piece), size);
  await file.datasync();
  return size;
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
