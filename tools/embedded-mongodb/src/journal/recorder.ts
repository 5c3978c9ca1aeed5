import type { ChangeListener } from '../storage/catalog.ts';
import { type Change, encodeRecord } from './record.ts';

/** Turns changes of the catalog into records, and tracks how much of the journal is still live. */
export interface Recorder {
  readonly listener: ChangeListener;
  /** Approximate size of a journal with only the live documents. Bytes. */
  readonly liveBytes: number;
  /** Starts recording changes. Before that, while the journal is read, they only count. */
  start(append: (record: Buffer) => void): void;
}

/** Approximate size of the head, kind and namespace of a record. Bytes. */
const OVERHEAD = 48;

export function createRecorder(): Recorder {
  let liveBytes = 0;
  let append: ((record: Buffer) => void) | null = null;

  function record(change: Change): void {
    append?.(encodeRecord(change));
  }

  const listener: ChangeListener = {
    put(namespace, bytes, replacedSize) {
      liveBytes += bytes.length + OVERHEAD - (replacedSize === null ? 0 : replacedSize + OVERHEAD);
      record({ kind: 'put', namespace, bytes });
    },
    remove(namespace, id, size) {
      liveBytes -= size + OVERHEAD;
      record({ kind: 'remove', namespace, id });
    },
    created: (namespace) => record({ kind: 'created', namespace }),
    dropped({ namespace, documents }) {
      for (const { size } of documents) liveBytes -= size + OVERHEAD;
      record({ kind: 'dropped', namespace });
    },
    indexed: (namespace, { specification }) => record({ kind: 'indexed', namespace, specification }),
    unindexed: (namespace, name) => record({ kind: 'unindexed', namespace, name }),
  };

  return {
    listener,
    get liveBytes() {
      return liveBytes;
    },
    start(to) {
      append = to;
    },
  };
}
