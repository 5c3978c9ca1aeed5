import { connect } from 'node:net';

export interface RawOptions {
  readonly until?: (answer: string) => boolean;
  /** Goes away when there is no answer by then, as a sender does whose request was cut short. */
  readonly endAfterMs?: number;
}

/** Writes bytes to a server as they stand, and resolves to all it answered when it has closed, or `until` is met. */
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
    // A server that has heard enough resets the connection: what it answered before counts.
    socket.on('error', done).on('close', done);
    for (const chunk of chunks) socket.write(chunk);
  });
}
