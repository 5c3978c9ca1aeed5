import type { RequestListener } from 'node:http';
import { isEnding } from '@sluice/runtime/http/last-response';

/** How long a turn of the event loop may begin requests. Milliseconds. */
const TURN_MS = 5;

/** A request that has arrived. */
export interface Beginning {
  /** Connections alternate, so each request names its connection. */
  readonly connection: object;
  begin(): void;
  /** No response can follow on its connection: the sender has gone, or the last response is being sent. */
  isGone(): boolean;
}

/** Begins a request, in this turn of the event loop or in a later one. */
export type BoundedTurns = (request: Beginning) => void;

/**
 * A turn of the event loop accepts one connection (libuv/libuv#3696) and reads from all connections with data. Hundreds of
 * busy connections make a long turn. A new connection waits one turn for each connection before it: seconds, in a flood.
 * So a turn begins requests for a few milliseconds and leaves the others to later turns. Connections alternate, and each
 * keeps its own order, so that a pipelining sender delays only itself. A connection has a bounded number of requests
 * (runtime: bounded-pipelines.ts), and so do the queues here.
 */
export function createBoundedTurns(): BoundedTurns {
  /** The requests of each connection, by connection, in the order of their turns. */
  const waiting = new Map<object, Beginning[]>();
  /** The time of the first request in this turn; undefined if there is none. */
  let startedAt: number | undefined;

  const isOver = (since: number): boolean => performance.now() - since >= TURN_MS;

  function queue(request: Beginning): void {
    const before = waiting.get(request.connection);
    if (before === undefined) waiting.set(request.connection, [request]);
    else before.push(request);
  }

  function beginNext(connection: object, requests: Beginning[]): void {
    waiting.delete(connection);
    const request = requests.shift() as Beginning;
    if (requests.length > 0) waiting.set(connection, requests);
    if (!request.isGone()) request.begin();
  }

  // Runs after all arrived data is read, just before the next turn.
  function endTurn(): void {
    const since = performance.now();
    // A connection that is set again in the loop moves to the end of the map, and is visited again.
    for (const [connection, requests] of waiting) {
      beginNext(connection, requests);
      if (isOver(since)) break;
    }
    startedAt = waiting.size > 0 ? since : undefined;
    if (waiting.size > 0) setImmediate(endTurn);
  }

  return (request) => {
    if (startedAt === undefined) {
      startedAt = performance.now();
      setImmediate(endTurn);
    }
    if (waiting.size > 0 || isOver(startedAt)) queue(request);
    else request.begin();
  };
}

/** Begins the requests of Node's HTTP server in bounded turns. */
export function inBoundedTurns(turns: BoundedTurns, begin: RequestListener): RequestListener {
  return (request, response) =>
    turns({
      connection: request.socket,
      begin: () => begin(request, response),
      isGone: () => request.destroyed || isEnding(request.socket),
    });
}
