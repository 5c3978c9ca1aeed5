import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { pairSockets } from '../../support/pair-sockets.ts';

/**
 * The fixed address of a Redis that fails over, as Sentinel and hosted services offer to clients that only know a URL.
 */
export interface MovingAddress {
  readonly url: string;
  /** Points the address to another server. Connections to the former one break. */
  moveTo(url: string): void;
  close(): Promise<void>;
}

export async function startMovingAddress(first: string): Promise<MovingAddress> {
  let target = new URL(first);
  const sockets = new Set<Socket>();
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    const upstream = dial(Number(target.port), target.hostname);
    client.pipe(upstream);
    upstream.pipe(client);
    pairSockets(client, upstream, sockets);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    moveTo(url) {
      target = new URL(url);
      hangUp();
    },
    async close() {
      hangUp();
      server.close();
      await once(server, 'close');
    },
  };
}
