import type { ServerResponse } from 'node:http';

/** What is read and thrown away after an answer that came before the end of the body. */
const LINGER_BYTES = 64 * 1024;
/** So long has the sender to read the answer. */
const LINGER_MS = 1000;

/**
 * Writes an answer while the request's body may still be coming. A socket that is closed with unread data is reset,
 * and a reset can take the answer away before the sender has read it. So the answer is written whole, a little more
 * of the body is thrown away (nginx calls this lingering close), and a body that goes on is left unread until the
 * sender has had its time: a full socket stops who sends in order to fill memory, but not who reads meanwhile.
 * The response must carry Content-Length and Connection: close.
 */
export function endAfterLingering(response: ServerResponse, payload: string): void {
  const { req: request } = response;
  let size = 0;
  const quiet = () => {
    request.off('data', onData);
    // Paused, or the body would be read on: megabytes from a fast sender.
    request.pause();
  };
  const end = () => {
    clearTimeout(timer);
    quiet();
    request.off('end', end).off('close', end);
    response.end();
  };
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (size >= LINGER_BYTES) quiet();
  };
  const timer = setTimeout(end, LINGER_MS);
  response.write(payload);
  request.on('data', onData).on('end', end).on('close', end).resume();
}
