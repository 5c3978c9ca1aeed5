import type { ServerResponse } from 'node:http';

/** What is read and thrown away after an answer that came before the end of the body. */
const LINGER_BYTES = 64 * 1024;
const LINGER_MS = 1000;

/**
 * Writes an answer while the request's body may still be coming. A socket that is closed with unread data is reset,
 * and a reset can take the answer away before the sender has read it. So the answer is written whole, a little
 * more of the body is thrown away (nginx calls this lingering close), and only then is the connection ended:
 * not so much that an endless body holds anything. The response must carry Content-Length and Connection: close.
 */
export function endAfterLingering(response: ServerResponse, payload: string): void {
  const { req: request } = response;
  let size = 0;
  const end = () => {
    clearTimeout(timer);
    request.off('data', onData).off('end', end).off('close', end);
    // Until the end is written, the body would be read on: megabytes from a fast sender.
    request.pause();
    response.end();
  };
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (size >= LINGER_BYTES) end();
  };
  const timer = setTimeout(end, LINGER_MS);
  response.write(payload);
  request.on('data', onData).on('end', end).on('close', end).resume();
}
