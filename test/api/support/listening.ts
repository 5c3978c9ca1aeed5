import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createHttpServer } from '@sluice/api/server';
import { listen } from '@sluice/runtime/http/listen';
import type { Express } from 'express';

/** The API behind its own HTTP server. */
export interface Listening {
  readonly url: string;
  readonly server: Server;
  /** Connects, writes what is given, and keeps the connection open. */
  open(...sent: (string | Buffer)[]): Promise<Connection>;
  close(): Promise<void>;
}

/** One connection to the server. */
export interface Connection {
  readonly socket: Socket;
  /** Everything received so far. */
  answered(): string;
  /** Whether the connection is closed or reset. */
  closed(): boolean;
  /** Why the connection did not close in order, such as a reset. */
  fault(): Error | undefined;
}

/** Starts the HTTP server of the API process on a free port. */
export async function startListening(app: Express): Promise<Listening> {
  const server = createHttpServer(app);
  const { url, port } = await listen({ server, port: 0, host: '127.0.0.1', variable: 'API_PORT' });
  return {
    url,
    server,
    async open(...sent) {
      const socket = connect(port, '127.0.0.1');
      let answer = '';
      let closed = false;
      let fault: Error | undefined;
      socket.on('data', (chunk) => {
        answer += chunk.toString('latin1');
      });
      socket
        .on('error', (error) => {
          fault = error;
        })
        .on('close', () => {
          closed = true;
        });
      await once(socket, 'connect');
      for (const bytes of sent) socket.write(bytes);
      return { socket, answered: () => answer, closed: () => closed, fault: () => fault };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The head of a request. */
export function head(
  method: string,
  path: string,
  headers: Readonly<Record<string, string | number>> = {},
): string {
  const lines = Object.entries({ host: 'api.test', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}
