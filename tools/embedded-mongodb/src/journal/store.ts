import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFile } from '@sluice/machine/file-lock';
import { type Catalog, type ChangeListener, createCatalog } from '../storage/catalog.ts';
import { createMemoryAccount, type MemoryAccount } from '../storage/memory-account.ts';
import { compact, compactingPath, type Journal, syncFolder } from './compaction.ts';
import { MAGIC, readJournal } from './journal-reader.ts';
import { createJournalWriter, writeAll } from './journal-writer.ts';
import { type Change, encodeRecord } from './record.ts';
import { createReplay } from './replay.ts';

export interface StoreOptions {
  /** Folder of the journal. Undefined: in memory only. */
  readonly dataDir?: string | undefined;
  /** A journal below this size (bytes) is not compacted at the start. Default 64 MiB. */
  readonly compactMinBytes?: number;
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

/** A journal is compacted at the start if it is this many times as large as its live data. */
const COMPACT_FACTOR = 2;
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
  { compactMinBytes = 64 * 1024 * 1024, log = () => {}, onFatal = () => {} }: StoreOptions,
  { memory, unlock }: { memory: MemoryAccount; unlock: () => void },
): Promise<Store> {
  const path = join(folder, 'journal');
  await rm(compactingPath(path), { force: true }); // left by a crash during compaction; the journal is complete
  const recorder = createRecorder();
  const catalog = createCatalog({ listener: recorder.listener, memory });
  const loaded = await load({ path, catalog, log });
  const isDue = loaded.size >= compactMinBytes && loaded.size >= COMPACT_FACTOR * liveBytes(catalog);
  if (isDue) await loaded.file.close();
  const { file, size } = isDue ? await compact(path, catalog) : loaded;
  await syncFolder(folder);
  const writer = createJournalWriter({ file, size, onFatal });
  recorder.start(writer.append);
  return {
    catalog,
    safe: writer.safe,
    async close() {
      await writer.close();
      unlock();
    },
  };
}

/** Fills the catalog from the journal, and cuts off what follows its good part. */
async function load({
  path,
  catalog,
  log,
}: {
  path: string;
  catalog: Catalog;
  log: (message: string) => void;
}): Promise<Journal> {
  const file = await open(path, (await exists(path)) ? 'r+' : 'wx+');
  try {
    const replay = createReplay();
    const good = await readJournal({ file, path, apply: replay.apply });
    replay.fill(catalog);
    const lost = (await file.stat()).size - good;
    if (lost > 0) log(`Cut off ${lost} bytes of a torn record at the end of ${path}.`);
    await file.truncate(good);
    const size = good < MAGIC.length ? await writeAll(file, MAGIC, 0) : good;
    await file.datasync();
    return { file, size };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Approximate size of a journal with only the live documents. */
function liveBytes({ collections }: Catalog): number {
  let bytes = 0;
  for (const { documents } of collections.values())
    for (const { size } of documents) bytes += size + OVERHEAD;
  return bytes;
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

async function exists(path: string): Promise<boolean> {
  try {
    await (await open(path, 'r')).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Approximate size of the head, kind and namespace of a record. Bytes. */
const OVERHEAD = 48;

/** Turns changes of the catalog into records. */
interface Recorder {
  readonly listener: ChangeListener;
  /** Starts recording changes. Before that, the journal is read. */
  start(append: (record: Buffer) => void): void;
}

function createRecorder(): Recorder {
  let append: ((record: Buffer) => void) | null = null;
  const record = (change: Change): void => append?.(encodeRecord(change));
  return {
    listener: {
      put: (namespace, bytes) => record({ kind: 'put', namespace, bytes }),
      remove: (namespace, id) => record({ kind: 'remove', namespace, id }),
      created: (namespace) => record({ kind: 'created', namespace }),
      dropped: (namespace) => record({ kind: 'dropped', namespace }),
      indexed: (namespace, { specification }) => record({ kind: 'indexed', namespace, specification }),
      unindexed: (namespace, name) => record({ kind: 'unindexed', namespace, name }),
    },
    start(to) {
      append = to;
    },
  };
}
