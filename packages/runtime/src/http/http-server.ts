import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { createBoundedPipelines } from './bounded-pipelines.ts';
import { isEnding } from './last-response.ts';

/** Senders with a slow link have this long; slower ones hold a socket but nothing else (slowloris). */
export const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Node looks every 30 s unless told: the time-outs above would mean little. */
const CHECK_INTERVAL_MS = 5_000;

/** Longer than the idle time-outs of the usual load balancers (60 s), so that they, not we, close first. */
export const KEEP_ALIVE_MS = 65_000;

/**
 * A connection stays open this much longer than its answers say (Keep-Alive: timeout). A client that trusts them may
 * send until the last moment, and would find the connection closed: a request that it cannot tell from a lost one.
 */
const KEEP_ALIVE_SLACK_MS = 3_000;

/** What is idle for so long is closed. */
export const IDLE_MS = KEEP_ALIVE_MS + KEEP_ALIVE_SLACK_MS;

const connections = new WeakMap<Server, Set<Socket>>();

/**
 * An HTTP server with the timeouts of everything that senders and people reach. It bounds what one connection can have
 * under way (bounded-pipelines.ts), and passes on no request that follows a response with `Connection: close`.
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
  // An expectation beside 100-continue may be left unmet (RFC 9110, 10.1.1); Node would answer a bare 417.
  server.on('checkExpectation', begin);
  // Its only listener so far is Node's own, which begins to read the connection.
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

/** Of an idle connection whose time is up; Node leaves it to whoever listens to close it. */
function closeUnlessUsed(socket: Socket): void {
  const { bytesRead } = socket;
  const close = () => {
    if (socket.bytesRead === bytesRead) socket.destroy();
  };
  setTimeout(close, KEEP_ALIVE_SLACK_MS).unref();
}

/** Connections over which not one byte has come: nobody is owed an answer there. */
export function silentConnections(server: Server): readonly Socket[] {
  return [...(connections.get(server) ?? [])].filter(({ bytesRead }) => bytesRead === 0);
}
