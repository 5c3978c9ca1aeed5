import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

/** A proxy in front of a server of this machine. */
export interface TcpProxy {
  /** Its address: host and port. */
  readonly host: string;
  /** Breaks all connections. */
  hangUp(): void;
  close(): Promise<void>;
}

export interface TcpProxySettings {
  /** Where the next connection leads to; undefined: it is refused. */
  readonly target: () => Pick<URL, 'hostname' | 'port'> | undefined;
  /** Passes on what both sides of a connection send. */
  readonly carry: (client: Socket, upstream: Socket) => void;
}

/** Passes everything on unchanged. */
export function carryAll(client: Socket, upstream: Socket): void {
  client.pipe(upstream);
  upstream.pipe(client);
}

/** When one side of a connection closes, the other is destroyed. */
export async function startTcpProxy({ target, carry }: TcpProxySettings): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const to = target();
    if (to === undefined) return void client.destroy();
    const upstream = dial(Number(to.port), to.hostname);
    for (const [socket, peer] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => peer.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        peer.destroy();
      });
    }
    carry(client, upstream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    hangUp,
    async close() {
      hangUp();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The same URL with the address of a proxy. */
export function urlOf({ host }: Pick<TcpProxy, 'host'>, target: string): string {
  const url = new URL(target);
  url.host = host;
  return url.href;
}
