import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { HEADERS_TIMEOUT_MS, IDLE_MS } from '@sluice/runtime/http/http-server';
import {
  openPlainConnection,
  type PlainConnection,
  type PlainConnectionDeps,
  type PlainTimes,
} from './plain-connection.ts';

/** As Node has them for its own. */
const TIMES: PlainTimes = { requestMs: HEADERS_TIMEOUT_MS, idleMs: IDLE_MS };

export interface PlainDoor {
  /** From now on every request is read by Node, also those of connections that are open already. */
  close(): void;
}

/**
 * Has the connections of a server read by us as long as their requests are plain (read-plain-request.ts), which costs
 * half of what Node's HTTP server does (bench/speed-tried.md). The server stays what it is: it listens, counts and closes
 * these connections with its own, and is given each for good as soon as something else comes over it.
 */
export function servePlainFirst(
  server: Server,
  begin: PlainConnectionDeps['begin'],
  times: PlainTimes = TIMES,
): PlainDoor {
  // Its own, the first of them, as documented: whoever emits `connection` brings it a connection.
  const [readByNode] = server.listeners('connection') as [(socket: Socket) => void];
  server.off('connection', readByNode);

  const connections = new Map<Socket, PlainConnection>();
  let open = true;
  const deps: PlainConnectionDeps = {
    times,
    isOpen: () => open,
    begin,
    giveToNode(socket) {
      connections.delete(socket);
      readByNode.call(server, socket);
    },
    onClientError: (code, socket) =>
      void server.emit('clientError', Object.assign(new Error(code), { code }), socket),
  };
  server.on('connection', (socket: Socket) => {
    connections.set(socket, openPlainConnection(socket, deps));
    socket.once('close', () => connections.delete(socket));
  });

  const { closeIdleConnections, closeAllConnections } = server;
  server.closeIdleConnections = () => {
    closeIdleConnections.call(server);
    for (const connection of connections.values()) connection.closeIfIdle();
  };
  server.closeAllConnections = () => {
    closeAllConnections.call(server);
    for (const socket of connections.keys()) socket.destroy();
  };
  return {
    close() {
      open = false;
    },
  };
}
