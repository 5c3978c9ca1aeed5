import type { IncomingMessage } from 'node:http';

/** 256 KiB (design: The way of a request). */
export const MAX_BODY_BYTES = 256 * 1024;

export type RawBody =
  | { readonly outcome: 'complete'; readonly bytes: Buffer }
  | { readonly outcome: 'too_large' }
  /** The sender went away before it had sent everything: nobody is there to be answered. */
  | { readonly outcome: 'aborted' };

const NOTHING = Buffer.alloc(0);

/**
 * Reads the exact bytes of a body. A larger one is given up at the first chunk over the limit, or unread where
 * Content-Length says so already; body-parser would read it to its end, and inflate it.
 */
export function readRawBody(request: IncomingMessage): Promise<RawBody> {
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES)
    return Promise.resolve({ outcome: 'too_large' });
  return new Promise((resolve) => {
    let first: Buffer | undefined;
    let chunks: Buffer[] | undefined;
    let size = 0;
    const settle = (body: RawBody) => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      resolve(body);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) return settle({ outcome: 'too_large' });
      // Nearly every body comes in one chunk, which then needs no copy.
      if (first === undefined) first = chunk;
      else chunks = [...(chunks ?? [first]), chunk];
    };
    const onEnd = () =>
      settle({ outcome: 'complete', bytes: chunks ? Buffer.concat(chunks) : (first ?? NOTHING) });
    const onClose = () => settle({ outcome: 'aborted' });
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}
