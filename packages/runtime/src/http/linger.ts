import type { IncomingMessage } from 'node:http';

/** Body that is read and thrown away behind an answer. Bytes. */
const LINGER_BYTES = 64 * 1024;
/** Time that the sender has to read the answer. Milliseconds. */
const LINGER_MS = 1000;

/**
 * Calls `end` once a request whose answer is written has come in, or its sender has had a second to read the answer. A
 * socket that is closed with unread data is reset, and a reset can destroy the answer on its way. So up to 64 KiB of the
 * body are thrown away (nginx calls this lingering close); the rest stays unread, and a full socket stops the sender.
 */
export function linger(request: IncomingMessage, end: () => void): void {
  let size = 0;
  const quiet = () => {
    request.off('data', onData);
    // Without a pause Node would read on, megabytes from a fast sender.
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
