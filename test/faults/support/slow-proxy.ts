import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { pairSockets } from './pair-sockets.ts';

/** A long way to a store: whatever is sent there arrives so much later, in its order. */
export interface SlowProxy {
  readonly url: string;
  close(): Promise<void>;
}

export interface SlowProxySettings {
  /** What is sent to the store takes this much longer; what comes back does not. */
  readonly delayMs: number;
  /**
   * Asked of each piece, in both directions: is it lost on the way? TCP sends it again, and what was sent after it waits
   * for that, so all that is seen of a loss is that it takes longer.
   */
  readonly lost?: () => boolean;
}

/** The shortest time after which Linux sends again what was not confirmed, twice: a loss takes a round trip to be noticed. */
const SENT_AGAIN_MS = 400;

export async function startSlowProxy(
  target: string,
  { delayMs, lost = () => false }: SlowProxySettings,
): Promise<SlowProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = dial(Number(port), hostname);
    carry(client, upstream, () => delayMs + (lost() ? SENT_AGAIN_MS : 0));
    carry(upstream, client, () => (lost() ? SENT_AGAIN_MS : 0));
    pairSockets(client, upstream, sockets);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  url.hostname = '127.0.0.1';
  return {
    url: url.href,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Passes on what arrives, each piece so much later as is said for it, and never before the one that came before it. */
function carry(from: Socket, to: Socket, delayOf: () => number): void {
  const line: { readonly chunk: Buffer; readonly due: number }[] = [];
  const next = () => {
    const [first] = line;
    if (first === undefined) return;
    const left = first.due - Date.now();
    if (left > 0) {
      setTimeout(next, left);
      return;
    }
    line.shift();
    if (to.writable) to.write(first.chunk);
    next();
  };
  from.on('data', (chunk) => {
    line.push({ chunk, due: Math.max(line.at(-1)?.due ?? 0, Date.now() + delayOf()) });
    if (line.length === 1) next();
  });
}
