import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may wait for their responses. More stay unread in the socket. */
export const MAX_UNANSWERED = 100;
/** The same for a whole server, not counting the first request of each connection. */
export const MAX_PIPELINED = 100;

/** The most requests that one connection may begin before other connections have their turn. */
const REQUESTS_A_TURN = 8;
/** How long pipelined requests may be begun before new connections are accepted and read. Milliseconds. */
const TURN_MS = 5;

/** Node's parser emits every request of the bytes it is given, so it is given few while requests come. Bytes. */
const SMALLEST_SLICE = 512;
/** Within a body the slices grow up to this. Bytes. */
const LARGEST_SLICE = 16 * 1024;

/**
 * Bounds what pipelining can hold, and how long it can keep others waiting. Node bounds only the bytes of responses that a
 * client has not read, never the number of requests.
 */
export interface BoundedPipelines {
  /** Call once Node's HTTP server has begun to read the connection. */
  bound(socket: Socket): void;
  /** Call when a request has been emitted on this connection, with its response. */
  count(socket: Socket, response: ServerResponse): void;
}

interface Connection {
  readonly socket: Socket;
  /** Node's listener, which has its parser read the bytes. */
  readonly parse: (bytes: Buffer) => void;
  unanswered: number;
  begunThisTurn: number;
  /** Bytes that are read but not parsed yet. The socket is paused meanwhile. */
  rest: Buffer | undefined;
}

export function createBoundedPipelines(): BoundedPipelines {
  const connections = new WeakMap<Socket, Connection>();
  /** Connections with unparsed bytes, in the order of their turns. */
  const ready = new Set<Connection>();
  /** Connections with unparsed bytes that wait until the whole server has fewer requests under way. */
  const crowded = new Set<Connection>();
  const begunInThisTurn = new Set<Connection>();
  let pipelined = 0;
  /** The current turn of the event loop; undefined: nothing was parsed in it. */
  let startedAt: number | undefined;

  const isFull = ({ unanswered }: Connection): boolean =>
    unanswered >= MAX_UNANSWERED || (unanswered > 0 && pipelined >= MAX_PIPELINED);
  const isOver = (): boolean => startedAt !== undefined && performance.now() - startedAt >= TURN_MS;

  function bound(socket: Socket): void {
    const [parse] = socket.listeners('data') as [Connection['parse']];
    const connection: Connection = { socket, parse, unanswered: 0, begunThisTurn: 0, rest: undefined };
    connections.set(socket, connection);
    socket.off('data', parse);
    // With a `data` listener Node reads through the stream, which `pause` stops. From the handle it would read on.
    socket.on('data', (chunk: Buffer) => {
      // Node resumes a socket when a listener reads the body, even if we have paused it.
      if (connection.rest !== undefined) hold(connection, Buffer.concat([connection.rest, chunk]));
      else parseInSlices(connection, chunk);
    });
    socket.once('close', () => {
      ready.delete(connection);
      crowded.delete(connection);
      connection.rest = undefined;
      pipelined -= Math.max(0, connection.unanswered - 1);
      connection.unanswered = 0;
      makeOneReady();
    });
  }

  function parseInSlices(connection: Connection, bytes: Buffer): void {
    const { socket, parse } = connection;
    beginTurn();
    let size = SMALLEST_SLICE;
    for (let at = 0; at < bytes.length; ) {
      // The connection has had its last response, or a parse error. Drop the rest.
      if (socket.destroyed || socket.writableEnded) return;
      if (isFull(connection) || hadItsTurn(connection)) return void hold(connection, bytes.subarray(at));
      const before = connection.begunThisTurn;
      parse(bytes.subarray(at, at + size));
      at += size;
      size = connection.begunThisTurn > before ? SMALLEST_SLICE : Math.min(2 * size, LARGEST_SLICE);
      // Node has paused it because a body or the responses are not being read. Only Node may resume it.
      if (socket.isPaused() && at < bytes.length) return void socket.unshift(bytes.subarray(at));
    }
  }

  /** A connection that does not pipeline never waits: it begins one request in a turn. */
  function hadItsTurn({ begunThisTurn }: Connection): boolean {
    return begunThisTurn >= REQUESTS_A_TURN || (begunThisTurn > 0 && isOver());
  }

  function hold(connection: Connection, rest: Buffer): void {
    connection.rest = rest;
    connection.socket.pause();
    if (!isFull(connection)) makeReady(connection);
    else if (connection.unanswered < MAX_UNANSWERED) crowded.add(connection);
  }

  function makeReady(connection: Connection): void {
    crowded.delete(connection);
    ready.add(connection);
    beginTurn();
  }

  function goOn(connection: Connection): void {
    ready.delete(connection);
    const { rest, socket } = connection;
    if (rest === undefined || socket.destroyed) return;
    if (isFull(connection)) return void hold(connection, rest);
    connection.rest = undefined;
    // Before parsing: a socket that is paused afterwards was paused by Node.
    socket.resume();
    parseInSlices(connection, rest);
  }

  function beginTurn(): void {
    if (startedAt !== undefined) return;
    startedAt = performance.now();
    setImmediate(endTurn);
  }

  function endTurn(): void {
    for (const connection of begunInThisTurn) connection.begunThisTurn = 0;
    begunInThisTurn.clear();
    startedAt = undefined;
    // A connection that becomes ready again meanwhile goes to the end of the line.
    for (const connection of [...ready]) {
      goOn(connection);
      if (isOver()) break;
    }
    if (ready.size > 0) beginTurn();
  }

  /** Wakes one. Each other waiting connection has requests under way, and their ends wake it too. */
  function makeOneReady(): void {
    const [first] = crowded;
    if (first !== undefined && pipelined < MAX_PIPELINED) makeReady(first);
  }

  function count(socket: Socket, response: ServerResponse): void {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connection.unanswered += 1;
    if (connection.unanswered > 1) pipelined += 1;
    connection.begunThisTurn += 1;
    begunInThisTurn.add(connection);
    response.once('close', () => {
      // The socket has closed, and its requests have ended with it.
      if (connection.unanswered === 0) return;
      if (connection.unanswered > 1) pipelined -= 1;
      connection.unanswered -= 1;
      if (connection.rest !== undefined && !isFull(connection)) makeReady(connection);
      makeOneReady();
    });
  }

  return { bound, count };
}
