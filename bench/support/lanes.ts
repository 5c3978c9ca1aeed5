import { once } from 'node:events';
import { connect } from 'node:net';

/** One keep-alive connection with one request in flight at a time. */
export interface Lane {
  /** Resolves to the status of the response. */
  ask(request: Buffer): Promise<number>;
  close(): void;
}

/** Opens connections to a server. */
export function connectLanes(url: string, count: number): Promise<Lane[]> {
  return Promise.all(Array.from({ length: count }, () => connectLane(url)));
}

async function connectLane(url: string): Promise<Lane> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  await once(socket, 'connect');
  let received = '';
  let pending: { resolve(status: number): void; reject(error: Error): void } | undefined;
  const fail = (error: Error) => pending?.reject(error);
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the connection was closed before the answer')));
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    const status = readStatus(received);
    if (status === undefined) return;
    received = '';
    if (pending === undefined) throw new Error(`an answer to no request: ${status}`);
    const { resolve } = pending;
    pending = undefined;
    resolve(status);
  });
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        pending = { resolve, reject };
        socket.write(request);
      }),
    close: () => void socket.destroy(),
  };
}

/** The status of the response, once it is complete. Every measured server sends Content-Length. */
function readStatus(text: string): number | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  if (length === undefined) throw new Error(`an answer without Content-Length:\n${text}`);
  return text.length < end + 4 + Number(length) ? undefined : Number(text.slice(9, 12));
}
