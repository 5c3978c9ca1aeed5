import type { IncomingMessage } from 'node:http';

/** How much of a body is discarded after the response. Bytes. */
const LINGER_BYTES = 64 * 1024;
/** The time in which the sender can read the response. Milliseconds. */
const LINGER_MS = 1000;

/**
 * Calls `end` once the request has come in whole, or its sender has had a second to read the response. A socket that closes
 * with unread data is reset, and a reset can destroy the response on its way. So up to 64 KiB of the body are discarded
 * (nginx calls this lingering close). The rest stays unread: backpressure stops the sender.
 */
export function linger(request: IncomingMessage, end: () => void): void {
  let size = 0;
  const quiet = () => {
    request.off('data', onData);
    // Without the pause Node would read megabytes from a fast sender.
    request.pause();
  };
  const finish = () => {
    clearTimeout(timer);
    quiet();
    request.off('end', finish).off('close', finish);
    end();
  };
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (size >= LINGER_BYTES) quiet();
  };
  const timer = setTimeout(finish, LINGER_MS);
  request.on('data', onData).on('end', finish).on('close', finish).resume();
}
