import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { lockFile } from '@sluice/machine/file-lock';
import { type Catalog, type ChangeListener, createCatalog } from '../storage/catalog.ts';
import { createMemoryAccount, type MemoryAccount } from '../storage/memory-account.ts';
import { compact, compactingPath, syncFolder, writeAll } from './compaction.ts';
import { createCompactor } from './compactor.ts';
import { MAGIC, readJournal } from './journal-reader.ts';
import { createJournalWriter } from './journal-writer.ts';
import { encodeRecord } from './record.ts';
import { createRecorder } from './recorder.ts';
import { createReplay } from './replay.ts';

export interface StoreOptions {
  /** Folder of the journal. Undefined: in memory only. */
  readonly dataDir?: string | undefined;
  /** A journal below this size (bytes) is never compacted. Default 64 MiB. */
  readonly compactMinBytes?: number;
  /** A journal is compacted when it is this many times as large as its live data. Default 2. */
  readonly compactFactor?: number;
  /** Approximate limit of memory for documents and indexes. Beyond it nothing that grows is stored. Bytes. Default: no limit. */
  readonly maxMemoryBytes?: number;
  readonly log?: (message: string) => void;
  /** Called when the journal cannot be written. Nothing is acknowledged from now on, and the process should end. */
  readonly onFatal?: (error: Error) => void;
}

/** The collections, and their journal if they have one. */
export interface Store {
  readonly catalog: Catalog;
  /** Resolves when every change so far is in the journal's file, or with `flushed` on the disk. */
  readonly safe: (flushed: boolean) => Promise<void>;
  close(): Promise<void>;
}

const MEBIBYTE = 1024 * 1024;
const SILENT: ChangeListener = {
  put: () => {},
  remove: () => {},
  created: () => {},
  dropped: () => {},
  indexed: () => {},
  unindexed: () => {},
};

/** Opens the folder: locks it, reads the journal, cuts off a torn end. Throws FolderLockedError and JournalCorruptError. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { dataDir, maxMemoryBytes = Number.POSITIVE_INFINITY, log = () => {} } = options;
  const memory = createMemoryAccount({ log });
  if (dataDir === undefined) {
    memory.limitTo(maxMemoryBytes);
    return {
      catalog: createCatalog({ listener: SILENT, memory }),
      safe: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
  }
  await mkdir(dataDir, { recursive: true });
  const unlock = await lockFolder(dataDir);
  try {
    const store = await openJournaled(dataDir, options, { memory, unlock });
    memory.limitTo(maxMemoryBytes);
    return store;
  } catch (error) {
    unlock();
    throw error;
  }
}

async function openJournaled(
  folder: string,
  options: StoreOptions,
  { memory, unlock }: { memory: MemoryAccount; unlock: () => void },
): Promise<Store> {
  const { compactMinBytes = 64 * MEBIBYTE, compactFactor = 2, log = () => {}, onFatal = () => {} } = options;
  const path = join(folder, 'journal');
  await rm(compactingPath(path), { force: true }); // left by a crash during compaction; the journal is complete
  const file = await open(path, (await exists(path)) ? 'r+' : 'wx+');
  const recorder = createRecorder();
  const catalog = createCatalog({ listener: recorder.listener, memory });
  const size = await load(file, { path, folder, catalog, log });
  const writer = createJournalWriter({
    file,
    size,
    publishesOfFlush: encodeRecord({ kind: 'flushed' }),
    onFatal,
  });
  const compactor = createCompactor({
    compact: (cancelled) => compact({ path, folder, catalog, writer, cancelled }),
    isDue: () => writer.end >= compactMinBytes && writer.end >= compactFactor * recorder.liveBytes,
    size: () => writer.written,
    needs: () => recorder.liveBytes + compactMinBytes,
    free: async () => {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
    log,
  });
  recorder.start((record) => {
    writer.append(record);
    compactor.consider();
  });
  return {
    catalog,
    safe: writer.safe,
    async close() {
      await compactor.stop();
      await writer.close();
      await rm(openMark(path), { force: true });
      unlock();
    },
  };
}

/** Fills the catalog from the journal. Returns the size of its good part, where writing continues. */
async function load(
  file: FileHandle,
  {
    path,
    folder,
    catalog,
    log,
  }: { path: string; folder: string; catalog: Catalog; log: (message: string) => void },
): Promise<number> {
  try {
    const replay = createReplay();
    const closed = !(await exists(openMark(path)));
    const ending = await readJournal({ file, path, closed, apply: replay.apply });
    replay.fill(catalog);
    let { size } = await file.stat();
    if (ending.kind === 'torn') {
      if (ending.intact) await keepTail(ending, { path, log });
      else if (ending.lost > 0) log(`Cut off ${ending.lost} bytes of a torn record at the end of ${path}.`);
      size = ending.keep;
      await file.truncate(size);
    }
    if (size < MAGIC.length) size = await writeAll(file, MAGIC, 0);
    await file.datasync();
    await writeFile(openMark(path), '');
    await syncFolder(folder);
    return size;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Another process uses the folder. */
export class FolderLockedError extends Error {
  constructor(folder: string, pid: number | undefined) {
    super(
      `the data folder ${folder} is in use by ${pid === undefined ? 'a process that is not to be seen from here' : `process ${pid}`}; stop that process first, or use another folder`,
    );
    this.name = 'FolderLockedError';
  }
}

/** Locks the folder for this process. Returns the function that releases it. */
async function lockFolder(folder: string): Promise<() => void> {
  const lock = await lockFile(join(folder, 'lock'));
  if (lock.kind === 'taken') throw new FolderLockedError(folder, lock.pid);
  return lock.release;
}

/** This file exists while the journal is open, and after a crash. Unflushed data may then be partial. */
function openMark(path: string): string {
  return `${path}.open`;
}

/** A torn tail was never acknowledged as durable. It is kept aside for inspection. */
async function keepTail(
  { keep, lost }: { keep: number; lost: number },
  { path, log }: { path: string; log: (message: string) => void },
): Promise<void> {
  const copy = `${path}.cut-${Date.now()}`;
  await pipeline(createReadStream(path, { start: keep }), createWriteStream(copy, { mode: 0o600 }));
  log(
    `Cut off ${lost} bytes at the end of ${path}: the machine ended before they were flushed, and part of them is missing. They are kept in ${copy}.`,
  );
}

async function exists(path: string): Promise<boolean> {
  try {
    await (await open(path, 'r')).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
