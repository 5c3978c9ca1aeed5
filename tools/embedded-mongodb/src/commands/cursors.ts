import { randomBytes } from 'node:crypto';
import { Long } from 'bson';
import { encodeDocument, RawArray, RawDocument, type RawFields } from '../bson/raw-document.ts';
import { CommandError } from '../errors.ts';

/** Returns the encoded result at an index. Called once for each. */
export type ResultAt = (index: number) => Uint8Array;

/** The results of a query, which are returned in batches. */
export interface Results {
  readonly namespace: string;
  readonly count: number;
  readonly at: ResultAt;
}

interface OpenCursor {
  readonly results: Results;
  position: number;
  lastUsed: number;
}

export interface Cursors {
  /** The reply with the first batch. The rest waits for getMore, unless `single`. */
  first(results: Results, batchSize: number | undefined, single: boolean): RawFields;
  /** Throws 43 CursorNotFound. */
  next(id: bigint, namespace: string, batchSize: number | undefined): RawFields;
  kill(id: bigint): boolean;
}

/** Documents in a first batch when the client names no number (manual, "cursor.batchSize"). */
const DEFAULT_FIRST_BATCH = 101;
/** Bytes of a batch; one document always fits. */
const BATCH_BYTES = 16 * 1024 * 1024;
const IDLE_MILLISECONDS = 10 * 60_000;

/** Opening a cursor removes those that were idle for ten minutes, like in MongoDB. */
export function createCursors({ now }: { now: () => number }): Cursors {
  const open = new Map<bigint, OpenCursor>();

  function dropIdle(): void {
    for (const [id, cursor] of open) if (now() - cursor.lastUsed > IDLE_MILLISECONDS) open.delete(id);
  }

  return {
    first(results, batchSize = DEFAULT_FIRST_BATCH, single) {
      dropIdle();
      const { documents, end } = takeBatch(results, 0, batchSize);
      if (single || (end >= results.count && batchSize > 0))
        return cursorReply('firstBatch', documents, 0n, results.namespace);
      const id = freshId();
      open.set(id, { results, position: end, lastUsed: now() });
      return cursorReply('firstBatch', documents, id, results.namespace);
    },
    next(id, namespace, batchSize) {
      const cursor = open.get(id);
      if (!cursor || cursor.results.namespace !== namespace)
        throw new CommandError('CursorNotFound', `cursor id ${id} not found`);
      const { documents, end } = takeBatch(
        cursor.results,
        cursor.position,
        batchSize || Number.POSITIVE_INFINITY,
      );
      cursor.position = end;
      cursor.lastUsed = now();
      const finished = end >= cursor.results.count;
      if (finished) open.delete(id);
      return cursorReply('nextBatch', documents, finished ? 0n : id, namespace);
    },
    kill: (id) => open.delete(id),
  };
}

/** Random like MongoDB's, so that an id from before a restart names no other query. 62 bits, never 0, which marks the end. */
function freshId(): bigint {
  return (randomBytes(8).readBigUInt64LE() >> 2n) | 1n;
}

function takeBatch(
  { at, count }: Results,
  start: number,
  batchSize: number,
): { documents: Uint8Array[]; end: number } {
  const documents: Uint8Array[] = [];
  let bytes = 0;
  let end = start;
  while (end < count && documents.length < batchSize) {
    const document = at(end);
    if (documents.length > 0 && bytes + document.length > BATCH_BYTES) break;
    documents.push(document);
    bytes += document.length;
    end++;
  }
  return { documents, end };
}

/** All documents in one batch. */
export function wholeReply(namespace: string, documents: Uint8Array[]): RawFields {
  return cursorReply('firstBatch', documents, 0n, namespace);
}

function cursorReply(
  batch: 'firstBatch' | 'nextBatch',
  documents: Uint8Array[],
  id: bigint,
  namespace: string,
): RawFields {
  const cursor = encodeDocument([
    [batch, new RawArray(documents)],
    ['id', Long.fromBigInt(id)],
    ['ns', namespace],
  ]);
  return [['cursor', new RawDocument(cursor)]];
}
