import type { IncomingMessage } from 'node:http';
import { REFUSALS } from '../answer/refusal.ts';
import type { BodyRoom, PartialBody } from '../receive/body-room.ts';
import type { Received } from '../receive/incoming.ts';

/** The largest accepted body: 256 KiB (docs/limits.md). */
export const MAX_BODY_BYTES = 256 * 1024;

const TOO_LARGE: Received = { outcome: 'refused', refusal: REFUSALS.payload_too_large };

const NOTHING = Buffer.alloc(0);

/**
 * Reads the exact bytes of a body. Reading stops at the first chunk over the limit. If Content-Length is over it, the body
 * is not read at all. body-parser would read it to its end, and inflate it. `begin` is called before the body is read.
 */
export function readRawBody(
  request: IncomingMessage,
  room: BodyRoom,
  begin: () => void = () => undefined,
): Promise<Received> {
  const announced = Number(request.headers['content-length']);
  if (announced > MAX_BODY_BYTES) return Promise.resolve(TOO_LARGE);
  begin();
  return new Promise((resolve) => {
    let bytes: Buffer = NOTHING;
    let size = 0;
    let partial: PartialBody | undefined;
    let settled = false;
    const settle = (received: Received) => {
      if (settled) return;
      settled = true;
      if (partial !== undefined) room.leave(partial);
      // A stream without listeners would still be read, at full speed, until the response is written.
      if (received.outcome !== 'body') request.off('data', onData).pause();
      resolve(received);
    };
    const onData = (chunk: Buffer) => {
      if (size + chunk.length > MAX_BODY_BYTES) return settle(TOO_LARGE);
      // Nearly every body arrives in one chunk, which needs no copy.
      bytes = size === 0 ? chunk : append(bytes, size, chunk);
      size += chunk.length;
      // Node's parser passes on at most the announced length.
      if (size === announced) return onEnd();
      partial ??= { crowdOut: () => settle({ outcome: 'crowded_out' }) };
      room.hold(partial, chunk.length);
    };
    const onEnd = () =>
      settle({ outcome: 'body', bytes: bytes.length === size ? bytes : bytes.subarray(0, size) });
    const onClose = () => settle({ outcome: 'aborted' });
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/** Puts a chunk after the first `size` bytes. The buffer doubles, because a body may arrive as 262,144 chunks of one byte. */
function append(bytes: Buffer, size: number, chunk: Buffer): Buffer {
  const needed = size + chunk.length;
  let grown = bytes;
  if (bytes.length < needed) {
    grown = Buffer.allocUnsafe(Math.min(MAX_BODY_BYTES, Math.max(needed, 2 * bytes.length)));
    bytes.copy(grown, 0, 0, size);
  }
  chunk.copy(grown, size);
  return grown;
}
