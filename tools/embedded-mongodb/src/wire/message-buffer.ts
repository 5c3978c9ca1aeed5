import { HEADER_SIZE, MAX_MESSAGE_SIZE, type Message, parseMessage } from './message.ts';

/** Cuts what arrives, in pieces of any size, into messages. */
export interface MessageBuffer {
  /** Bytes that wait. */
  readonly size: number;
  push(chunk: Buffer): void;
  /** The next whole message, null when more bytes are needed, or a broken one, after which there is no sense in going on. */
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

/** Makes the first chunk hold at least this many bytes; only a message in several pieces is copied. */
function joined(chunks: Buffer[], size: number): Buffer {
  const first = chunks[0] as Buffer;
  if (first.length >= size) return first;
  const all = Buffer.concat(chunks);
  chunks.splice(0, chunks.length, all);
  return all;
}
