import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { HEADERS_TIMEOUT_MS, IDLE_MS } from '@sluice/runtime/http/http-server';
import {
  openPlainConnection,
  type PlainConnection,
  type PlainConnectionDeps,
  type PlainTimes,
} from './plain-connection.ts';

/** The timeouts of Node's own connections. */
const TIMES: PlainTimes = { requestMs: HEADERS_TIMEOUT_MS, idleMs: IDLE_MS };

export interface PlainDoor {
  /** From now on Node reads every request, also on open connections. */
  close(): void;
}

/**
 * Reads a server's connections without Node's HTTP parser while their requests are plain (read-plain-request.ts). That costs
 * half of Node's HTTP server (bench/speed-tried.md). The server still listens, counts and closes these connections. It gets
 * each of them permanently at the first request that is not plain.
 */
export function servePlainFirst(
  server: Server,
  begin: PlainConnectionDeps['begin'],
  times: PlainTimes = TIMES,
): PlainDoor {
  // Node documents that emitting `connection` passes a connection to the server. Its own listener is the first.
  const [readByNode] = server.listeners('connection') as [(socket: Socket) => void];
  server.off('connection', readByNode);

  const connections = new Map<Socket, PlainConnection>();
  const door = { isOpen: true };
  const deps: PlainConnectionDeps = {
    times,
    door,
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
      door.isOpen = false;
    },
  };
}
