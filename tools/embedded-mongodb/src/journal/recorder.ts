import type { ChangeListener } from '../storage/catalog.ts';
import { type Change, encodeRecord } from './record.ts';

/** Turns what the catalog tells into records, and knows how much of the journal is still worth keeping. */
export interface Recorder {
  readonly listener: ChangeListener;
  /** About how long the journal would be if it held only what is alive. Bytes. */
  readonly liveBytes: number;
  /** From here on changes are recorded; before, while the journal is being read, they are only counted. */
  start(append: (record: Buffer) => void): void;
}

/** Head, kind and namespace of a record, about. Bytes. */
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
