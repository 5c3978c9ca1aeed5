import { once } from 'node:events';
import { connect } from 'node:net';

export interface Reply {
  readonly status: number;
  /** Empty if the response has no such header. */
  readonly deliveryId: string;
}

/** One keep-alive connection with one request in flight at a time. */
export interface Lane {
  ask(request: Buffer): Promise<Reply>;
  close(): void;
}

/** Opens connections, spread evenly over the addresses. */
export function connectLanes(urls: readonly string[], count: number): Promise<Lane[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => connectLane(urls[i % urls.length] as string)));
}

async function connectLane(url: string): Promise<Lane> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  await once(socket, 'connect');
  let received = '';
  let pending: { resolve(reply: Reply): void; reject(error: Error): void } | undefined;
  const fail = (error: Error) => pending?.reject(error);
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the connection was closed before the answer')));
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    const reply = readReply(received);
    if (reply === undefined) return;
    received = '';
    if (pending === undefined) throw new Error(`an answer to no request: ${reply.status}`);
    const { resolve } = pending;
    pending = undefined;
    resolve(reply);
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

/** The response, once it is complete. Every measured server sends Content-Length. */
function readReply(text: string): Reply | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  if (length === undefined) throw new Error(`an answer without Content-Length:\n${text}`);
  if (text.length < end + 4 + Number(length)) return undefined;
  const deliveryId = /"delivery_id":"([^"]+)"/.exec(text.slice(end))?.[1] ?? '';
  return { status: Number(text.slice(9, 12)), deliveryId };
}
