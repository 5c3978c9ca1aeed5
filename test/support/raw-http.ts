import { connect } from 'node:net';

export interface RawOptions {
  readonly until?: (answer: string) => boolean;
  /** Closes the connection without a response after this time, like a sender whose request was cut short. */
  readonly endAfterMs?: number;
}

/**
 * Writes bytes to a server unchanged. Resolves to its whole response when the server has closed, or when `until` is
 * true.
 */
export function rawHttp(
  url: string,
  chunks: readonly (string | Buffer)[],
  { until = () => false, endAfterMs }: RawOptions = {},
): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname);
    const timer = endAfterMs === undefined ? undefined : setTimeout(() => done(), endAfterMs);
    const done = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      if (until(answer)) done();
    });
    // The server may reset the connection early. Its response before that counts.
    socket.on('error', done).on('close', done);
    for (const chunk of chunks) socket.write(chunk);
  });
}
