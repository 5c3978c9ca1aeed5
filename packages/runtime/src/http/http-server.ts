import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { createBoundedPipelines } from './bounded-pipelines.ts';
import { isEnding } from './last-response.ts';

/** How long a slow sender may take. Slower ones keep a socket busy and nothing else (slowloris). */
export const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** The interval of Node's timeout checks. With the default of 30 s, the timeouts above would mean little. */
const CHECK_INTERVAL_MS = 5_000;

/** Longer than the idle timeout of common load balancers (60 s), so that they close first. */
export const KEEP_ALIVE_MS = 65_000;

/**
 * A connection stays open this much longer than its responses announce (`Keep-Alive: timeout`). A client may send at the last
 * moment. If the connection were closed then, the client could not know whether the request arrived.
 */
const KEEP_ALIVE_SLACK_MS = 3_000;

/** Closes a connection that is idle for longer. */
export const IDLE_MS = KEEP_ALIVE_MS + KEEP_ALIVE_SLACK_MS;

const connections = new WeakMap<Server, Set<Socket>>();

/**
 * Creates an HTTP server with the timeouts that all our ports share. It limits the requests under way on one connection
 * (bounded-pipelines.ts). It drops requests that follow a response with `Connection: close`.
 */
export function createTimedServer(listener: RequestListener, options: ServerOptions = {}): Server {
  const timeouts = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  };
  const pipelines = createBoundedPipelines();
  const begin: RequestListener = (request, response) => {
    pipelines.count(request.socket, response);
    if (!isEnding(request.socket)) listener(request, response);
  };
  const server = createServer({ ...timeouts, ...options }, begin);
  server.on('timeout', closeUnlessUsed);
  // A server may ignore other expectations than 100-continue (RFC 9110, 10.1.1). Node would answer an empty 417.
  server.on('checkExpectation', begin);
  // The only listener so far is Node's, which begins to read the connection.
  const [readByNode] = server.listeners('connection') as [(socket: Socket) => void];
  server.off('connection', readByNode);
  server.on('connection', (socket: Socket) => {
    readByNode.call(server, socket);
    pipelines.bound(socket);
  });
  const open = new Set<Socket>();
  connections.set(server, open);
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return server;
}

/** Closes an idle connection whose time is up: Node leaves that to the listener of `timeout`. */
function closeUnlessUsed(socket: Socket): void {
  const { bytesRead } = socket;
  const close = () => {
    if (socket.bytesRead === bytesRead) socket.destroy();
  };
  setTimeout(close, KEEP_ALIVE_SLACK_MS).unref();
}

/** Returns the connections that have sent no byte, and so need no response. */
export function silentConnections(server: Server): readonly Socket[] {
  return [...(connections.get(server) ?? [])].filter(({ bytesRead }) => bytesRead === 0);
}
