import { HEADER_SIZE, MAX_MESSAGE_SIZE, type Message, parseMessage } from './message.ts';

/** Splits received chunks of any size into messages. */
export interface MessageBuffer {
  /** Buffered bytes. */
  readonly size: number;
  push(chunk: Buffer): void;
  /** The next complete message, null if more bytes are needed, or a broken one, after which the stream is unusable. */
  next(): Message | null;
}

export function createMessageBuffer(): MessageBuffer {
  const chunks: Buffer[] = [];
  let buffered = 0;

  function next(): Message | null {
    if (buffered < HEADER_SIZE) return null;
    const size = joined(chunks, HEADER_SIZE).readInt32LE(0);
    if (size < HEADER_SIZE || size > MAX_MESSAGE_SIZE) {
      return { kind: 'broken', reason: `a message of ${size} bytes` };
    }
    if (buffered < size) return null;
    const bytes = joined(chunks, size);
    chunks[0] = bytes.subarray(size);
    buffered -= size;
    return parseMessage(bytes.subarray(0, size));
  }

  return {
    get size() {
      return buffered;
    },
    push(chunk) {
      chunks.push(chunk);
      buffered += chunk.length;
    },
    next,
  };
}

/** Extends the first chunk to at least this many bytes. It copies only a message in several chunks. */
function joined(chunks: Buffer[], size: number): Buffer {
  const first = chunks[0] as Buffer;
  if (first.length >= size) return first;
  const all = Buffer.concat(chunks);
  chunks.splice(0, chunks.length, all);
  return all;
}
